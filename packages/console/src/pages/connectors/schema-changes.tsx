import type { Run } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf } from "../../app/router.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

interface SchemaChange {
  readonly run: Run;
  readonly table: string;
  readonly text: string;
}

interface DatasetMetrics {
  readonly target_name?: string;
  readonly schema_changes?: readonly {
    readonly change: string;
    readonly column?: string;
    readonly type?: string;
    readonly from_type?: string;
    readonly renamed_to?: string;
  }[];
}

const columns: readonly Column<SchemaChange>[] = [
  { title: "When", width: "140px", cell: ({ run }) => <Time at={run.ended_at ?? run.queued_at} /> },
  { title: "Table", width: "minmax(160px, 1fr)", cell: ({ table }) => table },
  {
    title: "Change",
    width: "minmax(260px, 2.4fr)",
    cell: ({ text }) => <span title={text}>{text}</span>,
  },
  {
    title: "Run",
    width: "90px",
    cell: ({ run }) => (
      <a class="plain" href={hrefOf(`/runs/${run.id}`)}>
        Open run
      </a>
    ),
  },
];

/** The changes of the source's columns that the runs found, newest first. */
export function SchemaChanges({ runs }: { runs: readonly Run[] }): VNode {
  const rows = runs.flatMap(changesIn);
  if (rows.length === 0)
    return (
      <EmptyState title="No column has changed">
        When a run finds that the source has added, removed or changed a column, it is listed here. The last{" "}
        {runs.length} runs are looked at.
      </EmptyState>
    );
  return (
    <Table
      label="Schema changes"
      columns={columns}
      rows={rows}
      keyOf={({ run, table, text }) => `${run.id} ${table} ${text}`}
    />
  );
}

function changesIn(run: Run): readonly SchemaChange[] {
  const found = Array.isArray(run.metrics.datasets) ? (run.metrics.datasets as DatasetMetrics[]) : [];
  const changes = found.flatMap(({ target_name = "", schema_changes = [] }) =>
    schema_changes.map((change) => ({ run, table: target_name, text: textOf(change) })),
  );
  // A changed type fails the run before it has metrics.
  const isType = /^(?:\S+: )?The type of the column /.test(run.error ?? "");
  return isType ? [...changes, { run, table: "–", text: run.error ?? "" }] : changes;
}

function textOf({
  change,
  column,
  type,
  from_type,
  renamed_to,
}: NonNullable<DatasetMetrics["schema_changes"]>[number]): string {
  if (change === "table_created") return "The table was created.";
  if (change === "column_added") return `The column ${column} was added${type ? `: ${type}` : ""}.`;
  if (change === "column_widened") return `The column ${column} was widened from ${from_type} to ${type}.`;
  if (change === "column_retyped")
    return `The column ${column} was changed from ${from_type} to ${type}, and all rows were read again.`;
  if (change === "column_missing")
    return renamed_to
      ? `The source no longer has the column ${column}. It may have been renamed to ${renamed_to}.`
      : `The source no longer has the column ${column}.`;
  return `${change.replaceAll("_", " ")} ${column ?? ""}`;
}
