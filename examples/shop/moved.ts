import type { Run } from "@lakehelm/contract";

/** What runs have done to one table. */
export interface Moved {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Rows that a flow found no match for, and keeps aside. */
  readonly unmatched: number;
}

type Metrics = Readonly<Record<string, unknown>>;

const numberOf = (metrics: Metrics, key: string): number => Number(metrics[key] ?? 0);

/** The runs of a connector count for each of its datasets. */
const byDataset = ({ metrics }: Run): Moved[] =>
  (metrics.datasets as readonly Metrics[]).map((dataset) => ({
    table: String(dataset.target_name),
    inserted: numberOf(dataset, "rows_inserted"),
    updated: numberOf(dataset, "rows_updated"),
    deleted: numberOf(dataset, "rows_deleted"),
    unmatched: 0,
  }));

/** Those of a flow count for its one target. */
const byFlow = ({ metrics }: Run, table: string): Moved => ({
  table,
  inserted: numberOf(metrics, "rows_inserted"),
  updated: numberOf(metrics, "rows_updated"),
  deleted: numberOf(metrics, "rows_deleted"),
  unmatched: numberOf(metrics, "rows_unmatched"),
});

/** What some runs have done together, table by table. `target`: that of a flow. */
export function movedBy(runs: readonly Run[], target: string | undefined): Moved[] {
  const all = runs.flatMap((run) => (target === undefined ? byDataset(run) : byFlow(run, target)));
  return [...Map.groupBy(all, ({ table }) => table)].map(([table, some]) => {
    const sum = (of: (moved: Moved) => number) => some.reduce((total, one) => total + of(one), 0);
    return {
      table,
      inserted: sum(({ inserted }) => inserted),
      updated: sum(({ updated }) => updated),
      deleted: sum(({ deleted }) => deleted),
      unmatched: sum(({ unmatched }) => unmatched),
    };
  });
}

export const isNothing = ({ inserted, updated, deleted, unmatched }: Moved): boolean =>
  inserted + updated + deleted + unmatched === 0;
