import type { Run } from "@lakehelm/contract";
import type { Definition } from "./definitions.ts";

/** What runs have done to one table. */
export interface Moved {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Rows that a flow found no match for, and keeps aside. */
  readonly unmatched: number;
  /** Rows that an expectation of a pipeline kept out. */
  readonly dropped: number;
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
    dropped: 0,
  }));

/** Those of a pipeline for each of its tables. */
const byTable = ({ metrics }: Run): Moved[] =>
  (metrics.tables as readonly Metrics[]).map((table) => ({
    table: String(table.name),
    inserted: numberOf(table, "rows_added"),
    updated: numberOf(table, "rows_updated"),
    deleted: numberOf(table, "rows_removed"),
    unmatched: 0,
    dropped: numberOf(table, "rows_dropped"),
  }));

/** Those of a flow count for its one target. */
const byFlow = ({ metrics }: Run, table: string): Moved => ({
  table,
  inserted: numberOf(metrics, "rows_inserted"),
  updated: numberOf(metrics, "rows_updated"),
  deleted: numberOf(metrics, "rows_deleted"),
  unmatched: numberOf(metrics, "rows_unmatched"),
  dropped: 0,
});

function movedIn(run: Run, { kind, body }: Definition): Moved[] {
  if (kind === "flow") return [byFlow(run, body.target_name)];
  return kind === "pipeline" ? byTable(run) : byDataset(run);
}

/** What some runs have done together, table by table. */
export function movedBy(runs: readonly Run[], definition: Definition): Moved[] {
  const all = runs.flatMap((run) => movedIn(run, definition));
  return [...Map.groupBy(all, ({ table }) => table)].map(([table, some]) => {
    const sum = (of: (moved: Moved) => number) => some.reduce((total, one) => total + of(one), 0);
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

export const isNothing = ({ inserted, updated, deleted, unmatched }: Moved): boolean =>
  inserted + updated + deleted + unmatched === 0;
