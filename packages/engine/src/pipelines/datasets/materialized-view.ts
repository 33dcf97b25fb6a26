import type { DuckDBConnection } from "@duckdb/node-api";
import { sameContent } from "../../transfer/comparison.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import { changed, count, list } from "../../warehouse/relation.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { kindOf } from "../storage.ts";
import { type Outcome, untouched } from "./dataset-outcome.ts";
import { hasColumns, makeTable } from "./dataset-table.ts";
import { judge, mayStay } from "./expectations.ts";
import { resolved, type Sources } from "./source-relations.ts";

/**
 * Computes all rows and compares them with those that are there: the same are left alone, so that nobody who waits for a
 * change is woken for none, and where rows only came, the others stay, so that the table can be read as a stream.
 */
export async function refreshMaterializedView(
  sources: Sources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<Outcome> {
  const { connection, crashPoint } = sources;
  const { dataset, storage, columns, expectations, flows } = bound;
  const [flow] = flows;
  const select = await resolved(sources, flow?.sql ?? "");
  const name = sqlName(storage);
  const order = dataset.clusterBy.length === 0 ? "" : ` ORDER BY ${dataset.clusterBy.map(quote).join(", ")}`;
  const fill = (from: string) =>
    changed(
      connection,
      `INSERT INTO ${name} (${list(columns)}) SELECT ${list(columns)} FROM ${from}${order}`,
    );

  // What is not made anew is there: looking for it would go through the whole catalog.
  const isThere = !isFull || (await kindOf(connection, storage)) === "table";
  const isAnew = isFull || !(await hasColumns(connection, storage, columns));
  // Rows that nobody looks at need no place in between.
  const isDirect = isAnew && expectations.length === 0;
  if (!isDirect) await connection.run(`CREATE OR REPLACE TEMP TABLE staged AS ${select}`);
  crashPoint("staged");
  const table = dataset.table.table;
  const judged = await judge(connection, "staged", { name: dataset.name, table, columns }, expectations);
  const rows = isDirect
    ? `(${select})`
    : `(SELECT * FROM staged AS ${quote(table)} WHERE ${mayStay(expectations)})`;
  if (isAnew) {
    const removed = isThere ? await count(connection, name) : 0;
    await makeTable(connection, bound);
    return { ...untouched, ...judged, added: await fill(rows), removed, change: "rewritten" };
  }
  if (await sameContent(connection, rows, name, columns)) return { ...untouched, ...judged };
  const { added, removed } = await differences(connection, rows, name, list(columns));
  if (removed === 0) {
    const fresh = `SELECT ${list(columns)} FROM ${rows} EXCEPT ALL SELECT ${list(columns)} FROM ${name}`;
    await connection.run(`INSERT INTO ${name} (${list(columns)}) SELECT * FROM (${fresh})${order}`);
    return { ...untouched, ...judged, added, change: "added" };
  }
  await connection.run(`DELETE FROM ${name}`);
  await fill(rows);
  return { ...untouched, ...judged, added, removed, change: "rewritten" };
}

/** How many rows are in one relation and not in the other, each as often as it is there: in one pass over both. */
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
