import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentName, place, setQuery } from "../../app/router.ts";
import { useOlder } from "../../data/older.ts";
import { olderRuns, pageOfRuns, type RunFilter, useRuns } from "../../data/runs.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { RunTable } from "./run-table.tsx";
import { HoursSelect, TimelineView } from "./timeline-view.tsx";

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
  const isTimeline = query.get("view") === "timeline";
  const view = (name: string | undefined, title: string) => (
    <Button
      kind="quiet"
      isPressed={isTimeline === (name !== undefined)}
      onClick={() => setQuery({ view: name, hours: undefined })}
    >
      {title}
    </Button>
  );
  return (
    <PageLayout title="Runs" isFull>
      <ListToolbar what="runs" statuses={statuses}>
        {isTimeline && <HoursSelect />}
        <span class="segments">
          {view(undefined, "Table")}
          {view("timeline", "Timeline")}
        </span>
      </ListToolbar>
      {isTimeline ? (
        <TimelineView filter={filter} />
      ) : (
        <TableView filter={filter} isFiltered={(search ?? status) !== undefined} />
      )}
    </PageLayout>
  );
}

function TableView({ filter, isFiltered }: { filter: RunFilter; isFiltered: boolean }): VNode {
  const { data, error, refresh } = useRuns(filter);
  const { items: runs, loadMore } = useOlder({
    key: JSON.stringify(filter),
    first: data && pageOfRuns(data),
    read: async (cursor) => pageOfRuns(await olderRuns(filter, cursor)),
    idOf: ({ id }) => id,
  });
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="runs" />;
  if (runs.length > 0) return <RunTable runs={runs} onEnd={loadMore} />;
  return (
    <EmptyState title={isFiltered ? "No run fits these filters" : "Nothing has run yet"}>
      A run appears here when a connector, flow, pipeline or automation starts: by its schedule, or when you
      run it.
    </EmptyState>
  );
}
