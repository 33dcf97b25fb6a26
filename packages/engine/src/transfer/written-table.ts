import type { DuckDBConnection } from "@duckdb/node-api";
import { connectorRereadCommand } from "@lakehelm/contract/changes";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../protocol/problem.ts";
import type { TransferRequest } from "../protocol/transfer.ts";
import { isAbout, writtenTablesTable } from "../warehouse/internal-tables.ts";
import { fullName, literal, sqlName, type TableName } from "../warehouse/names.ts";
import { countRows } from "../warehouse/relation.ts";
import { readVersion } from "../warehouse/table-version.ts";
import { streamId } from "./checkpoints.ts";

/** What others have done to a table since a run. */
export interface OutsideChange {
  /** A sentence: rows are gone. */
  readonly lost: string | undefined;
  /** A sentence: existing rows were changed or replaced. */
  readonly changed: string | undefined;
}

type Request = Pick<TransferRequest, "connector" | "dataset">;

/**
 * What others have done to the table since the last run of the dataset: SQL tasks, flows, programs. Undefined if they
 * did nothing, or if no earlier run recorded the table. DuckDB counts the rows of a table without reading them.
 */
export async function findOutsideChange(
  connection: DuckDBConnection,
  table: TableName,
  { dataset }: Request,
): Promise<OutsideChange | undefined> {
  const written = writtenTablesTable(table.catalog);
  const stream = literal(streamId(dataset));
  const [before] = (
    await connection.runAndReadAll(
      `SELECT rows, (SELECT max(version) FROM ${written} WHERE ${isAbout(table)}) FROM ${written} WHERE stream = ${stream}`,
    )
  ).getRowsJson();
  if (!before) return undefined;
  // Another dataset may have written the table since, and has reported what it found.
  const [rowsBefore, version] = before.map(Number) as [number, number];
  const rows = await countRows(connection, sqlName(table));
  const now = await readVersion(connection, table);
  if (rows === rowsBefore && now.version === version) return undefined;
  const name = fullName(table);
  return {
    lost:
      rows < rowsBefore
        ? `${name} has ${counted(rows, "row")}, and had ${rowsBefore} after the last run: something else has removed rows or replaced the table.`
        : undefined,
    changed:
      now.rewritten > version
        ? `Something else has changed or replaced rows of ${name} since the last run.`
        : undefined,
  };
}

/**
 * Rows below the watermark are not read again: if others have removed rows, the run would succeed and the rows would be
 * missing forever.
 */
export function judgeOutsideChange(
  { lost, changed }: OutsideChange,
  { connector, dataset }: Request,
  warn: (text: string) => void,
): void {
  const command = connectorRereadCommand(connector, dataset.target);
  const unread = "Runs read what is new at the source, so these rows are not read again.";
  if (lost !== undefined) {
    const found = `${lost} ${unread} To load them: ${command}`;
    if (dataset.onLostRows === "warn") {
      warn(found);
      return;
    }
    throw new DataProblem(
      `${found}\nIf the rows are removed on purpose, set custom_config.on_lost_rows of the dataset to "warn".`,
    );
  }
  if (changed !== undefined) warn(`${changed} ${unread} To compare them with the source: ${command}`);
}

/**
 * Records the version and the number of rows of the table after this run, in its transaction. For other datasets with
 * the same target, rows that others have removed stay missing, so their recorded number changes only by what this run
 * has written.
 */
export async function recordWrittenTable(
  connection: DuckDBConnection,
  table: TableName,
  { dataset }: Request,
  rowsBefore: number,
): Promise<void> {
  const written = writtenTablesTable(table.catalog);
  const stream = literal(streamId(dataset));
  const rows = await countRows(connection, sqlName(table));
  const { version } = await readVersion(connection, table);
  const isSame = `stream = ${stream} AND version = ${version} AND rows = ${rows}`;
  if ((await countRows(connection, `${written} WHERE ${isSame}`)) > 0) return;
  const added = rows - rowsBefore;
  if (added !== 0)
    await connection.run(
      `UPDATE ${written} SET rows = rows + ${added} WHERE ${isAbout(table)} AND stream <> ${stream}`,
    );
  await connection.run(`DELETE FROM ${written} WHERE stream = ${stream}`);
  await connection.run(
    `INSERT INTO ${written} VALUES (${stream}, ${literal(table.schema)}, ${literal(table.table)}, ${version}, ${rows})`,
  );
}
