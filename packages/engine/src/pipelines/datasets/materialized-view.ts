import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName } from "../../warehouse/names.ts";
import { columnList, countRows, rowsChanged, sameContent } from "../../warehouse/relation.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { relationKind } from "../storage.ts";
import { type DatasetOutcome, unchanged } from "./dataset-outcome.ts";
import { createTable, hasColumns } from "./dataset-table.ts";
import { checkExpectations, keepCondition } from "./expectations.ts";
import { type DatasetSources, resolveTables } from "./source-relations.ts";

/**
 * Computes all rows and compares them with the existing rows. Equal rows are left unchanged, so that triggers do not
 * fire. If rows were only added, the existing rows stay, so that the table can be read as a stream.
 */
export async function refreshMaterializedView(
  sources: DatasetSources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  const { connection, crashPoint } = sources;
  const { dataset, storage, columns, expectations, flows } = bound;
  const [flow] = flows;
  const select = await resolveTables(sources, flow?.sql ?? "");
  const name = sqlName(storage);
  const order = dataset.clusterBy.length === 0 ? "" : ` ORDER BY ${dataset.clusterBy.map(quote).join(", ")}`;
  const fill = (from: string) =>
    rowsChanged(
      connection,
      `INSERT INTO ${name} (${columnList(columns)}) SELECT ${columnList(columns)} FROM ${from}${order}`,
    );

  // If it is not a full refresh, the table exists. Looking it up would scan the whole catalog.
  const exists = !isFull || (await relationKind(connection, storage)) === "table";
  const isRecreated = isFull || !(await hasColumns(connection, storage, columns));
  // A new table without expectations needs no staging table. An existing table may be read by its own query, through a
  // view of another pipeline.
  const isDirect = isRecreated && !exists && expectations.length === 0;
  if (!isDirect) await connection.run(`CREATE OR REPLACE TEMP TABLE staged AS ${select}`);
  crashPoint("staged");
  const table = dataset.table.table;
  const results = await checkExpectations(connection, "staged", dataset, expectations);
  const rows = isDirect
    ? `(${select})`
    : `(SELECT * FROM staged AS ${quote(table)} WHERE ${keepCondition(expectations)})`;
  if (isRecreated) {
    const removed = exists ? await countRows(connection, name) : 0;
    await createTable(connection, bound);
    return { ...unchanged, ...results, added: await fill(rows), removed, change: "recreated" };
  }
  if (await sameContent(connection, rows, name, columns)) return { ...unchanged, ...results };
  const { added, removed } = await differences(connection, rows, name, columnList(columns));
  if (removed === 0) {
    const fresh = `SELECT ${columnList(columns)} FROM ${rows} EXCEPT ALL SELECT ${columnList(columns)} FROM ${name}`;
    await connection.run(`INSERT INTO ${name} (${columnList(columns)}) SELECT * FROM (${fresh})${order}`);
    return { ...unchanged, ...results, added, change: "added" };
  }
  await connection.run(`DELETE FROM ${name}`);
  await fill(rows);
  return { ...unchanged, ...results, added, removed, change: "rewritten" };
}

/** The number of rows that are in one relation and not in the other, counting duplicates, in one pass over both. */
async function differences(
  connection: DuckDBConnection,
  now: string,
  before: string,
  columns: string,
): Promise<{ readonly added: number; readonly removed: number }> {
  const surplus = `SELECT sum(side) AS surplus FROM (
    SELECT ${columns}, 1 AS side FROM ${now} UNION ALL SELECT ${columns}, -1 FROM ${before}
  ) GROUP BY ${columns}`;
  const found = await connection.runAndReadAll(
    `SELECT coalesce(sum(greatest(surplus, 0)), 0), coalesce(sum(greatest(-surplus, 0)), 0) FROM (${surplus})`,
  );
  const [added = 0, removed = 0] = (found.getRowsJson()[0] ?? []).map(Number);
  return { added, removed };
}
