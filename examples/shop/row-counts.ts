import type { Run } from "@lakehelm/contract";
import type { ShopDefinition } from "./definitions.ts";

/** What runs changed in one table. */
export interface RowCounts {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Rows that a flow could not match and wrote to its unmatched table. */
  readonly unmatched: number;
  /** Rows that an expectation of a pipeline dropped. */
  readonly dropped: number;
}

type RunMetrics = Readonly<Record<string, unknown>>;

const numberOf = (metrics: RunMetrics, key: string): number => Number(metrics[key] ?? 0);

/** A connector reports counts for each dataset. */
const connectorCounts = ({ metrics }: Run): RowCounts[] =>
  (metrics.datasets as readonly RunMetrics[]).map((dataset) => ({
    table: String(dataset.target_name),
    inserted: numberOf(dataset, "rows_inserted"),
    updated: numberOf(dataset, "rows_updated"),
    deleted: numberOf(dataset, "rows_deleted"),
    unmatched: 0,
    dropped: 0,
  }));

/** A pipeline reports counts for each table. */
const pipelineCounts = ({ metrics }: Run): RowCounts[] =>
  (metrics.tables as readonly RunMetrics[]).map((table) => ({
    table: String(table.name),
    inserted: numberOf(table, "rows_added"),
    updated: numberOf(table, "rows_updated"),
    deleted: numberOf(table, "rows_removed"),
    unmatched: 0,
    dropped: numberOf(table, "rows_dropped"),
  }));

/** A flow has one target. */
const flowCounts = ({ metrics }: Run, table: string): RowCounts => ({
  table,
  inserted: numberOf(metrics, "rows_inserted"),
  updated: numberOf(metrics, "rows_updated"),
  deleted: numberOf(metrics, "rows_deleted"),
  unmatched: numberOf(metrics, "rows_unmatched"),
  dropped: 0,
});

function countsOf(run: Run, { kind, body }: ShopDefinition): RowCounts[] {
  if (kind === "flow") return [flowCounts(run, body.target_name)];
  return kind === "pipeline" ? pipelineCounts(run) : connectorCounts(run);
}

/** The sums over several runs, by table. */
export function totalCounts(runs: readonly Run[], definition: ShopDefinition): RowCounts[] {
  const all = runs.flatMap((run) => countsOf(run, definition));
  return [...Map.groupBy(all, ({ table }) => table)].map(([table, some]) => {
    const sum = (of: (counts: RowCounts) => number) => some.reduce((total, one) => total + of(one), 0);
    return {
      table,
      inserted: sum(({ inserted }) => inserted),
      updated: sum(({ updated }) => updated),
      deleted: sum(({ deleted }) => deleted),
      unmatched: sum(({ unmatched }) => unmatched),
      dropped: sum(({ dropped }) => dropped),
    };
  });
}

export const isUnchanged = ({ inserted, updated, deleted, unmatched }: RowCounts): boolean =>
  inserted + updated + deleted + unmatched === 0;
