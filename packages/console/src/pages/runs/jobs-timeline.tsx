import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { hrefOf } from "../../app/router.ts";
import { duration, localTime } from "../../format/time.ts";
import { toneOf } from "../../ui/status.tsx";
import { useVirtualRows } from "../../ui/virtual.ts";
import { ticksOf } from "./ticks.ts";

const hourMs = 3_600_000;
const rowHeight = 20;

interface TimelineProps {
  readonly runs: readonly Run[];
  /** The number of hours that the timeline shows. */
  readonly hours: number;
}

/** A row for each job, with its runs over time. Jobs with failures come first. Further rows are only counted. */
export function JobsTimeline({
  runs,
  hours,
  mostRows,
}: TimelineProps & { readonly mostRows: number }): VNode {
  const scale = scaleOf(hours);
  const rows = rowsOf(runs);
  return (
    <div class="day">
      <Axis hours={hours} scale={scale} />
      {rows.slice(0, mostRows).map((row) => (
        <JobRow key={row.id} row={row} scale={scale} />
      ))}
      {rows.length > mostRows && <p class="faint">{rows.length - mostRows} more jobs have run.</p>}
    </div>
  );
}

/** Like `JobsTimeline`, for any number of jobs: only the rows in view are rendered. */
export function LongTimeline({ runs, hours }: TimelineProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const scale = scaleOf(hours);
  const rows = rowsOf(runs);
  const virtual = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div class="day long" ref={scroller} tabIndex={0} role="region" aria-label="Jobs over time">
      <Axis hours={hours} scale={scale} />
      <div style={{ height: `${above}px` }} />
      {items.map(({ index }) => {
        const row = rows[index] as Row;
        return <JobRow key={row.id} row={row} scale={scale} />;
      })}
      <div style={{ height: `${below}px` }} />
    </div>
  );
}

interface Scale {
  readonly nowMs: number;
  /** The position of a time, in percent of the width. */
  readonly placeOf: (ms: number) => number;
}

function scaleOf(hours: number): Scale {
  const nowMs = Date.now();
  const length = hours * hourMs;
  return { nowMs, placeOf: (ms) => ((ms - (nowMs - length)) / length) * 100 };
}

function Axis({ hours, scale: { nowMs, placeOf } }: { hours: number; scale: Scale }): VNode {
  return (
    <div class="day-row axis" aria-hidden="true">
      <span />
      <span class="track" title="In your time zone">
        {ticksOf(hours, nowMs)
          // A label at the right edge would be cut off.
          .filter(({ atMs }) => placeOf(atMs) < 94)
          .map(({ atMs, text }) => (
            <span key={atMs} class="tick" style={{ left: `${placeOf(atMs)}%` }}>
              {text}
            </span>
          ))}
      </span>
    </div>
  );
}

function JobRow({ row: { id, runs }, scale: { nowMs, placeOf } }: { row: Row; scale: Scale }): VNode {
  const name = runs[0]?.name ?? id;
  return (
    <div class="day-row">
      <span class="clip" title={name}>
        {name}
      </span>
      <span class="track">
        {runs.map((run) => {
          const from = Date.parse(run.started_at ?? run.queued_at);
          const to = run.ended_at === null ? nowMs : Date.parse(run.ended_at);
          const left = Math.max(0, placeOf(from));
          const text = `${run.status}, ${localTime(run.queued_at)}, ${duration(to - from)}`;
          return (
            <a
              key={run.id}
              href={hrefOf(`/runs/${run.id}`)}
              class={`bar ${toneOf(run.status)}`}
              style={{
                left: `min(${left}%, calc(100% - 4px))`,
                width: `max(4px, ${Math.max(0, placeOf(to) - left)}%)`,
              }}
              title={`${text}${run.error ? `\n${run.error}` : ""}`}
              tabIndex={isFailed(run) ? 0 : -1}
            >
              <span class="visually-hidden">{`${run.name ?? id}: ${text}`}</span>
            </a>
          );
        })}
      </span>
    </div>
  );
}

interface Row {
  readonly id: string;
  readonly runs: readonly Run[];
  readonly failed: number;
}

const isFailed = ({ status }: Run) => status === "failed";

/** The runs by job: jobs with failures first, then those with the most runs. */
function rowsOf(runs: readonly Run[]): readonly Row[] {
  return [...Map.groupBy(runs, ({ job_id }) => job_id)]
    .map(([id, some]) => ({
      id,
      // Failed runs come last, so that they cover other runs at the same position.
      runs: some.toSorted((one, other) => Number(isFailed(one)) - Number(isFailed(other))),
      failed: some.filter(isFailed).length,
    }))
    .sort((one, other) => other.failed - one.failed || other.runs.length - one.runs.length);
}
