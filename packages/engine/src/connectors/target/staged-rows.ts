import type { DuckDBConnection } from "@duckdb/node-api";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import { quote } from "../../warehouse/names.ts";
import { rowNumber, withRowNumbers } from "../../warehouse/row-numbers.ts";
import { rowsOf } from "./external-duckdb.ts";
import type { Destination } from "./target.ts";
import { kindOf } from "./type-kinds.ts";

/** The row numbers of refused rows, in an external DuckDB that has attached the staging file as `stage`. */
const refusedRows = "temp.main.refused_rows";

export async function createRefusedRows(external: DuckDBConnection): Promise<void> {
  await external.run("CREATE OR REPLACE TEMP TABLE refused_rows (n BIGINT)");
}

export async function refuseRow(external: DuckDBConnection, at: number): Promise<void> {
  await external.run(`INSERT INTO ${refusedRows} VALUES (${at})`);
}

/** The staged rows with their numbers. */
export const stagedChanges = (external: DuckDBConnection): Promise<string> =>
  withRowNumbers(external, "stage.changes");

/** SQL: whether a row of `stagedChanges` is not refused. */
export const isAccepted = `${rowNumber} NOT IN (SELECT n FROM ${refusedRows})`;

/** An upsert needs complete keys. Rows without them are refused. */
export async function refuseKeylessRows(
  external: DuckDBConnection,
  destination: Destination,
): Promise<Reject[]> {
  const rejects: Reject[] = [];
  for (const key of destination.keys) {
    const isMissing = `${quote(key)} IS NULL AND ${isAccepted}`;
    rejects.push(
      ...(await rejectedRows(external, destination, isMissing, {
        reason: `the primary key "${key}" is NULL`,
      })),
    );
    await external.run(
      `INSERT INTO ${refusedRows} SELECT ${rowNumber} FROM ${await stagedChanges(external)} WHERE ${isMissing}`,
    );
  }
  return rejects;
}

/** Rows of `stagedChanges` as rejects. */
export async function rejectedRows(
  external: DuckDBConnection,
  { columns }: Destination,
  condition: string,
  refusal: Refusal,
): Promise<Reject[]> {
  const values = columns.map(({ name, type }) => {
    const text = kindOf(type) === "binary" ? `base64(${quote(name)})` : `CAST(${quote(name)} AS VARCHAR)`;
    return `${text} AS ${quote(name)}`;
  });
  const rows = await rowsOf(
    external,
    `SELECT ${values.join(", ")} FROM ${await stagedChanges(external)} WHERE ${condition}`,
  );
  return rows.map((row) => ({ ...refusal, row }));
}
