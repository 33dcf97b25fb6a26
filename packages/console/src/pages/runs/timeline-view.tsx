import type { VNode } from "preact";
import { place, setQuery } from "../../app/router.ts";
import { type RunFilter, useRuns } from "../../data/runs.ts";
import { counted } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { JobsTimeline } from "./jobs-timeline.tsx";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const mostRuns = 1_000;
const mostRows = 200;
const windows = [1, 6, 24, 168];
const textOf = (hours: number) =>
  hours === 1 ? "Last hour" : hours > 24 ? "Last 7 days" : `Last ${hours} hours`;

/** The hours of the address. */
const chosenHours = (): number =>
  windows.find((hours) => String(hours) === place.value.query.get("hours")) ?? 24;

export function HoursSelect(): VNode {
  return (
    <select
      class="input"
      aria-label="Time"
      value={chosenHours()}
      onChange={(event) => setQuery({ hours: event.currentTarget.value })}
    >
      {windows.map((hours) => (
        <option key={hours} value={hours}>
          {textOf(hours)}
        </option>
      ))}
    </select>
  );
}

/** The runs that fit the filter over time, a row for each job. */
export function TimelineView({ filter }: { filter: RunFilter }): VNode {
  const hours = chosenHours();
  // Rounded, so that the query stays the same while the page is open.
  const since = Math.floor((Date.now() - hours * hourMs) / (5 * minuteMs)) * 5 * minuteMs;
  const { data, error, refresh } = useRuns(
    { ...filter, created_after: new Date(since).toISOString() },
    mostRuns,
  );
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="runs" />;
  if (data.runs.length === 0) {
    return (
      <EmptyState title="Nothing has run in this time">Choose a longer time, or another filter.</EmptyState>
    );
  }
  return (
    <section class="card runs-timeline" aria-label="Runs over time">
      <header>
        <h2>{textOf(hours)}</h2>
        <span class="faint">
          {data.runs.length >= mostRuns ? "the newest 1,000 runs" : counted(data.runs.length, "run")}
        </span>
      </header>
      <div class="body">
        <JobsTimeline runs={data.runs} hours={hours} mostRows={mostRows} />
      </div>
    </section>
  );
}
