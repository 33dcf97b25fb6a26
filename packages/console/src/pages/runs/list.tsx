import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentName, place } from "../../app/router.ts";
import { useOlder } from "../../data/older.ts";
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
  const { items: runs, loadMore } = useOlder({
    key: JSON.stringify(filter),
    first: data && pageOf(data),
    read: async (cursor) => pageOf(await olderRuns(filter, cursor)),
    idOf: ({ id }) => id,
  });
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

const pageOf = ({
  runs,
  next_cursor,
}: {
  readonly runs: readonly Run[];
  readonly next_cursor: string | null;
}) => ({
  items: runs,
  cursor: next_cursor,
});
