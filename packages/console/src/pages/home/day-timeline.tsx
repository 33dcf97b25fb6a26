import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { counted } from "../../format/number.ts";
import { duration, localTime } from "../../format/time.ts";
import { toneOf } from "../../ui/status.tsx";

const dayMs = 86_400_000;
const mostRows = 40;
const hours = [0, 6, 12, 18];

/** A row for each job, with its runs of the last 24 hours: those with failures first. */
export function DayTimeline({ runs }: { runs: readonly Run[] }): VNode | null {
  const now = Date.now();
  const rows = [...Map.groupBy(runs, ({ job_id }) => job_id)]
    .map(([id, some]) => ({
      id,
      runs: some,
      failed: some.filter(({ status }) => status === "failed").length,
    }))
    .sort((one, other) => other.failed - one.failed || other.runs.length - one.runs.length);
  if (rows.length === 0) return null;
  const at = (ms: number) => ((ms - (now - dayMs)) / dayMs) * 100;
  return (
    <section class="card">
      <header>
        <h2>Last 24 hours</h2>
        <span class="faint">
          {runs.length >= 1000 ? "the newest 1,000 runs" : counted(runs.length, "run")} of{" "}
          {counted(rows.length, "job")}
        </span>
      </header>
      <div class="day body">
        <div class="day-row axis" aria-hidden="true">
          <span />
          <span class="track">
            {hours.map((hour) => (
              <span key={hour} class="tick" style={{ left: `${(hour / 24) * 100}%` }}>
                {hour === 0 ? "24 h ago" : `${24 - hour} h`}
              </span>
            ))}
          </span>
        </div>
        {rows.slice(0, mostRows).map(({ id, runs: some }) => (
          <div key={id} class="day-row">
            <span class="clip">{some[0]?.name ?? id}</span>
            <span class="track">
              {some.map((run) => {
                const from = Date.parse(run.started_at ?? run.queued_at);
                const to = run.ended_at === null ? now : Date.parse(run.ended_at);
                const left = Math.max(0, at(from));
                return (
                  <a
                    key={run.id}
                    href={hrefOf(`/runs/${run.id}`)}
                    class={`bar ${toneOf(run.status)}`}
                    style={{
                      left: `min(${left}%, calc(100% - 4px))`,
                      width: `max(4px, ${Math.max(0, at(to) - left)}%)`,
                    }}
                    title={`${run.status}, ${localTime(run.queued_at)}, ${duration(to - from)}${run.error ? `\n${run.error}` : ""}`}
                    tabIndex={run.status === "failed" ? 0 : -1}
                  >
                    <span class="visually-hidden">{`${run.name}: ${run.status}, ${localTime(run.queued_at)}`}</span>
                  </a>
                );
              })}
            </span>
          </div>
        ))}
        {rows.length > mostRows && <p class="faint">{rows.length - mostRows} more jobs have run.</p>}
      </div>
    </section>
  );
}
