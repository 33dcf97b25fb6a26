import type { PipelineUpdate } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { useOlder } from "../../data/older.ts";
import { olderUpdates, type Pipeline, useUpdates } from "../../data/pipelines.ts";
import { count } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { RunDuration } from "../../ui/run-duration.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { modeText } from "./texts.ts";

const shown = 50;
const numberCell = (value: number) => (value === 0 ? <span class="faint">0</span> : count(value));

const columns: readonly Column<PipelineUpdate>[] = [
  { title: "Status", width: "128px", cell: ({ state }) => <Status value={state.toLowerCase()} /> },
  {
    title: "Started",
    width: "120px",
    cell: ({ pipeline_id, update_id, creation_time }) => (
      <a class="plain" href={hrefOf(`/pipelines/${pipeline_id}?update=${update_id}`)}>
        <Time at={creation_time} />
      </a>
    ),
  },
  {
    title: "Does",
    width: "minmax(130px, 1fr)",
    cell: (update) => <span class="soft">{modeText(update)}</span>,
  },
  {
    title: "Error",
    width: "minmax(160px, 2fr)",
    cell: ({ error }) =>
      error && (
        <span class="cause" title={error}>
          {error}
        </span>
      ),
  },
  {
    title: "Duration",
    width: "90px",
    isRight: true,
    cell: ({ start_time, end_time }) => <RunDuration run={{ started_at: start_time, ended_at: end_time }} />,
  },
  { title: "Added", width: "80px", isRight: true, cell: ({ rows_added }) => numberCell(rows_added) },
  { title: "Removed", width: "80px", isRight: true, cell: ({ rows_removed }) => numberCell(rows_removed) },
  {
    title: "Dropped",
    width: "80px",
    isRight: true,
    cell: ({ rows_dropped }) =>
      rows_dropped > 0 ? <span class="dropped">{count(rows_dropped)}</span> : <span class="faint">0</span>,
  },
  {
    title: "Started by",
    width: "minmax(120px, 1fr)",
    cell: ({ requested_by, cause, reason }) => (
      <span class="soft" title={reason ?? undefined}>
        {requested_by ?? cause}
        {reason && `: ${reason}`}
      </span>
    ),
  },
  {
    title: "Log",
    width: "60px",
    cell: ({ update_id }) => <a href={hrefOf(`/runs/${update_id}`)}>Log</a>,
  },
];

/** The updates, newest first. Each links to the graph with its numbers. */
export function Updates({ pipeline }: { pipeline: Pipeline }): VNode {
  const id = pipeline.pipeline_id;
  const { data, error, refresh } = useUpdates(id, shown);
  const { items, loadMore } = useOlder<PipelineUpdate>({
    key: id,
    first: data && { items: data.updates, cursor: data.next_cursor },
    read: async (cursor) => {
      const page = await olderUpdates(id, cursor, shown);
      return { items: page.updates, cursor: page.next_cursor };
    },
    idOf: ({ update_id }) => update_id,
  });
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the updates" />;
  if (items.length === 0)
    return <EmptyState title="No update yet">Start one, and it appears here.</EmptyState>;
  return (
    <Table
      label="Updates"
      columns={columns}
      rows={items}
      keyOf={({ update_id }) => update_id}
      onEnd={loadMore}
    />
  );
}
