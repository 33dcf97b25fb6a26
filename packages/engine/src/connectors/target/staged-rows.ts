import type { DuckDBConnection } from "@duckdb/node-api";
import type { Reject } from "../../protocol/transfer.ts";
import { quote } from "../../warehouse/names.ts";
import { rowsOf } from "./external-duckdb.ts";
import type { Destination } from "./target.ts";
import { kindOf } from "./type-kinds.ts";

/** The rows of a run, in a DuckDB that has attached their file as `here`; and the numbers of those that are left out. */
const refusedRows = "temp.main.refused_rows";

export async function createRefusedRows(outside: DuckDBConnection): Promise<void> {
  await outside.run("CREATE OR REPLACE TEMP TABLE refused_rows (n BIGINT)");
}

export async function refuseRow(outside: DuckDBConnection, at: number): Promise<void> {
  await outside.run(`INSERT INTO ${refusedRows} VALUES (${at})`);
}

/** SQL: whether a row of `here.changes` is not among those that are left out. */
export const isAccepted = `rowid NOT IN (SELECT n FROM ${refusedRows})`;

/** Rows without a whole key can find no other: they are left out. */
export async function refuseKeylessRows(
  outside: DuckDBConnection,
  destination: Destination,
): Promise<Reject[]> {
  const rejects: Reject[] = [];
  for (const key of destination.keys) {
    const isMissing = `${quote(key)} IS NULL AND ${isAccepted}`;
    rejects.push(
      ...(await rejectedRows(outside, destination, isMissing, `the primary key "${key}" is NULL`)),
    );
    await outside.run(`INSERT INTO ${refusedRows} SELECT rowid FROM here.changes WHERE ${isMissing}`);
  }
  return rejects;
}

/** Rows of `here.changes` as rejects. */
export async function rejectedRows(
  outside: DuckDBConnection,
  { columns }: Destination,
  condition: string,
  reason: string,
): Promise<Reject[]> {
  const values = columns.map(({ name, type }) => {
    const text = kindOf(type) === "binary" ? `base64(${quote(name)})` : `CAST(${quote(name)} AS VARCHAR)`;
    return `${text} AS ${quote(name)}`;
  });
  const rows = await rowsOf(outside, `SELECT ${values.join(", ")} FROM here.changes WHERE ${condition}`);
  return rows.map((row) => ({ reason, row }));
}
