import type { VNode } from "preact";
import { place, setQuery } from "../../app/router.ts";
import { useOlder } from "../../data/older.ts";
import { olderRuns, pageOfRuns, type RunFilter, useRuns } from "../../data/runs.ts";
import { count, counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { LongTimeline } from "./jobs-timeline.tsx";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const mostRuns = 1_000;
const windows = [1, 6, 24, 168];
const textOf = (hours: number) =>
  hours === 1 ? "Last hour" : hours > 24 ? "Last 7 days" : `Last ${hours} hours`;

/** The number of hours in the address. */
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

/** The runs that match the filter, over time, with a row for each job. */
export function TimelineView({ filter }: { filter: RunFilter }): VNode {
  const hours = chosenHours();
  // Rounded, so that the query stays the same while the page is open.
  const since = Math.floor((Date.now() - hours * hourMs) / (5 * minuteMs)) * 5 * minuteMs;
  const wanted = { ...filter, created_after: new Date(since).toISOString() };
  const { data, error, refresh } = useRuns(wanted, mostRuns);
  const { items, loadMore, hasMore, isLoading } = useOlder({
    key: JSON.stringify(wanted),
    first: data && pageOfRuns(data),
    read: async (cursor) => pageOfRuns(await olderRuns(wanted, cursor, mostRuns)),
    idOf: ({ id }) => id,
  });
  // Older failed runs are read, too, because they are what users look for.
  const needsFailed = hasMore && filter.status === undefined;
  const failed = useRuns({ ...wanted, status: "failed" }, mostRuns, needsFailed).data?.runs;
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="runs" />;
  if (items.length === 0) {
    return (
      <EmptyState title="Nothing has run in this time">Choose a longer time, or another filter.</EmptyState>
    );
  }
  const known = new Set(items.map(({ id }) => id));
  const olderFailed = needsFailed ? (failed ?? []).filter(({ id }) => !known.has(id)) : [];
  const oldest = items.at(-1)?.queued_at;
  return (
    <section class="card runs-timeline" aria-label="Runs over time">
      <header>
        <h2>{textOf(hours)}</h2>
        <span class="faint number" role="status">
          {hasMore ? `the newest ${count(items.length)} runs` : counted(items.length, "run")}
          {hasMore && oldest && (
            <>
              , since <Time at={oldest} absolute />
              {olderFailed.length > 0 && `, and ${count(olderFailed.length)} older ones that failed`}
            </>
          )}
        </span>
        <span class="grow" />
        {hasMore && (
          <Button onClick={loadMore} isBusy={isLoading}>
            Load older runs
          </Button>
        )}
      </header>
      <div class="body">
        <LongTimeline runs={[...items, ...olderFailed]} hours={hours} />
      </div>
    </section>
  );
}
