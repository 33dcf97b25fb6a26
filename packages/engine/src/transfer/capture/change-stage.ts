import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";

/** Temporary table with the changes of all datasets of a run, in the order of the log. */
export const stagedChanges = "log_changes";

export const valueColumn = (index: number): string => `c${index}`;

const staged = (name: string, type: string): WarehouseColumn => ({ name, type, origin: type });

/** A change as the change log stages it. */
export const changeColumns = (values: number): readonly WarehouseColumn[] => [
  staged("n", "BIGINT"),
  staged("t", "INTEGER"),
  staged("op", "VARCHAR"),
  staged("lsn", "BIGINT"),
  /** `,2,5,`: the values that are not in the log because they did not change. */
  staged("unchanged", "VARCHAR"),
  ...Array.from({ length: values }, (_, index) => staged(valueColumn(index), "VARCHAR")),
];

export async function createChangeStage(connection: DuckDBConnection, values: number): Promise<void> {
  const declared = changeColumns(values).map(({ name, type }) => `${name} ${type}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${stagedChanges} (${declared.join(", ")})`);
}

export interface MeasuredChanges {
  readonly changes: number;
  readonly bytes: number;
  readonly truncations: number;
  /** Changes for which the log does not say which row changed, or lacks values. */
  readonly incomplete: number;
}

/**
 * The number of changes of one dataset, and the length of their values in bytes, because all datasets share one log.
 */
export async function measureChanges(
  connection: DuckDBConnection,
  index: number,
  values: number,
): Promise<MeasuredChanges> {
  const lengths = Array.from({ length: values }, (_, at) => `coalesce(strlen(${valueColumn(at)}), 0)`);
  const found = await connection.runAndReadAll(
    `SELECT count(*), coalesce(sum(${["0", ...lengths].join(" + ")}), 0), count(*) FILTER (op = 'T'), count(*) FILTER (op = 'X') FROM ${stagedChanges} WHERE t = ${index}`,
  );
  const [changes = 0, bytes = 0, truncations = 0, incomplete = 0] = (found.getRowsJson()[0] ?? []).map(
    Number,
  );
  return { changes, bytes, truncations, incomplete };
}
