import type { DuckDBConnection } from "@duckdb/node-api";
import type { Column } from "../../column.ts";
import { changed, count, list, sameRow } from "../../moving/relation.ts";
import type { TableChange } from "../../warehouse/warehouse.ts";
import { quotedList, sameKeys } from "./event.ts";

interface Replaced {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly change: TableChange | null;
}

/**
 * Makes the rows of all keys in `touched` those in `after`, both temporary tables. Rows that are the same already are not
 * written; `identity` tells rows apart.
 */
export async function replaceRows(
  connection: DuckDBConnection,
  target: string,
  columns: readonly Column[],
  keys: readonly string[],
  identity: readonly string[],
): Promise<Replaced> {
  const insert = (from: string) =>
    changed(connection, `INSERT INTO ${target} (${list(columns)}) SELECT ${list(columns)} FROM ${from}`);
  if ((await count(connection, target)) === 0) {
    const added = await insert("after");
    return { added, updated: 0, removed: 0, change: added > 0 ? "added" : null };
  }
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE gone AS SELECT ${quotedList(identity, "t.")} FROM ${target} t
     WHERE EXISTS (SELECT 1 FROM touched k WHERE ${sameKeys(keys, "k", "t")})
     AND NOT EXISTS (SELECT 1 FROM after a WHERE ${sameRow(columns, "a", "t")})`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE come AS SELECT ${list(columns, "a.")} FROM after a
     WHERE NOT EXISTS (SELECT 1 FROM ${target} t WHERE ${sameRow(columns, "a", "t")})`,
  );
  const updated = await count(
    connection,
    `come c WHERE EXISTS (SELECT 1 FROM gone g WHERE ${sameKeys(identity, "g", "c")})`,
  );
  const removed = await changed(
    connection,
    `DELETE FROM ${target} t USING gone g WHERE ${sameKeys(identity, "g", "t")}`,
  );
  const added = await insert("come");
  return {
    added: added - updated,
    updated,
    removed: removed - updated,
    change: removed > 0 ? "rewritten" : added > 0 ? "added" : null,
  };
}
