import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { duration, localTime } from "../../format/time.ts";
import { toneOf } from "../../ui/status.tsx";

const hourMs = 3_600_000;
const ticks = 4;

interface JobsTimelineProps {
  readonly runs: readonly Run[];
  /** How far back it reaches. */
  readonly hours: number;
  /** The most jobs that are shown; the others are counted. */
  readonly mostRows: number;
}

/** A row for each job, with its runs over time: those with failures first. */
export function JobsTimeline({ runs, hours, mostRows }: JobsTimelineProps): VNode {
  const now = Date.now();
  const length = hours * hourMs;
  const at = (ms: number) => ((ms - (now - length)) / length) * 100;
  const rows = rowsOf(runs);
  return (
    <div class="day">
      <div class="day-row axis" aria-hidden="true">
        <span />
        <span class="track">
          {Array.from({ length: ticks }, (_, tick) => (
            <span key={tick} class="tick" style={{ left: `${(tick / ticks) * 100}%` }}>
              {agoText(hours * (1 - tick / ticks))}
            </span>
          ))}
        </span>
      </div>
      {rows.slice(0, mostRows).map(({ id, runs: some }) => (
        <div key={id} class="day-row">
          <span class="clip" title={some[0]?.name ?? id}>
            {some[0]?.name ?? id}
          </span>
          <span class="track">
            {some.map((run) => {
              const from = Date.parse(run.started_at ?? run.queued_at);
              const to = run.ended_at === null ? now : Date.parse(run.ended_at);
              const left = Math.max(0, at(from));
              const text = `${run.status}, ${localTime(run.queued_at)}, ${duration(to - from)}`;
              return (
                <a
                  key={run.id}
                  href={hrefOf(`/runs/${run.id}`)}
                  class={`bar ${toneOf(run.status)}`}
                  style={{
                    left: `min(${left}%, calc(100% - 4px))`,
                    width: `max(4px, ${Math.max(0, at(to) - left)}%)`,
                  }}
                  title={`${text}${run.error ? `\n${run.error}` : ""}`}
                  tabIndex={run.status === "failed" ? 0 : -1}
                >
                  <span class="visually-hidden">{`${run.name ?? id}: ${text}`}</span>
                </a>
              );
            })}
          </span>
        </div>
      ))}
      {rows.length > mostRows && <p class="faint">{rows.length - mostRows} more jobs have run.</p>}
    </div>
  );
}

/** The runs by job: jobs with failures first, then those with the most runs. */
function rowsOf(runs: readonly Run[]) {
  return [...Map.groupBy(runs, ({ job_id }) => job_id)]
    .map(([id, some]) => ({
      id,
      runs: some,
      failed: some.filter(({ status }) => status === "failed").length,
    }))
    .sort((one, other) => other.failed - one.failed || other.runs.length - one.runs.length);
}

function agoText(hours: number): string {
  if (hours >= 48) return `${Math.round(hours / 24)} days ago`;
  if (hours >= 1) return `${Number(hours.toFixed(1))} h ago`;
  return `${Math.round(hours * 60)} min ago`;
}
