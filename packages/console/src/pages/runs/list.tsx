import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { environmentName, place } from "../../app/router.ts";
import { olderRuns, type RunFilter, useRuns } from "../../data/runs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { RunTable } from "./run-table.tsx";

const statuses: readonly Run["status"][] = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "skipped",
];

export default function RunsPage(): VNode {
  const { query } = place.value;
  const search = query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const filter: RunFilter = { environment: environmentName.value, status, search };
  const { data, error, isLoading, refresh } = useRuns(filter);
  const { runs, loadMore } = useOlder(filter, data);
  return (
    <PageLayout title="Runs" isFull>
      <ListToolbar what="runs" statuses={statuses} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="runs" />}
      {data &&
        (runs.length === 0 ? (
          <EmptyState title={search || status ? "No run fits these filters" : "Nothing has run yet"}>
            A run appears here when a connector, flow, pipeline or automation starts: by its schedule, or when
            you run it.
          </EmptyState>
        ) : (
          <RunTable runs={runs} onEnd={loadMore} />
        ))}
    </PageLayout>
  );
}

/** The first page is live; older ones are added when the end comes into view. */
function useOlder(filter: RunFilter, first: { runs: Run[]; next_cursor: string | null } | undefined) {
  const key = JSON.stringify(filter);
  const [older, setOlder] = useState<
    { key: string; runs: readonly Run[]; cursor: string | null } | undefined
  >();
  const isLoading = useRef(false);
  const mine = older?.key === key ? older : undefined;
  const cursor = mine ? mine.cursor : (first?.next_cursor ?? null);
  useEffect(() => {
    isLoading.current = false;
  }, [key]);
  const loadMore = useCallback(() => {
    if (cursor === null || isLoading.current) return;
    isLoading.current = true;
    olderRuns(filter, cursor).then(
      (page) => {
        isLoading.current = false;
        setOlder((before) => ({
          key,
          runs: [...(before?.key === key ? before.runs : []), ...page.runs],
          cursor: page.next_cursor,
        }));
      },
      () => {
        isLoading.current = false;
      },
    );
  }, [key, cursor]);
  const seen = new Set(first?.runs.map(({ id }) => id));
  const runs = [...(first?.runs ?? []), ...(mine?.runs ?? []).filter(({ id }) => !seen.has(id))];
  return { runs, loadMore };
}
