import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { columnList, countRows, rowsChanged, sameRow } from "../../warehouse/relation.ts";
import { deleteNumberedRows, rowNumber, withRowNumbers } from "../../warehouse/row-numbers.ts";
import type { TableChange } from "../../warehouse/warehouse.ts";
import { internalColumn, quotedList, sameKeys } from "./event-columns.ts";

interface ReplacedRows {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly change: TableChange | null;
}

interface RowReplacement {
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  /** The columns that identify a row. */
  readonly identity: readonly string[];
  /** A condition on the rows `t` of a key in `k`; absent for all rows. */
  readonly which?: string;
}

/**
 * Replaces the rows of all keys in `touched` by those in `after`; both are temporary tables. Unchanged rows are not
 * written. The target is read once, and no other work grows with its size.
 */
export async function replaceRows(
  connection: DuckDBConnection,
  target: string,
  { columns, keys, identity, which = "true" }: RowReplacement,
): Promise<ReplacedRows> {
  const insert = (from: string) =>
    rowsChanged(
      connection,
      `INSERT INTO ${target} (${columnList(columns)}) SELECT ${columnList(columns)} FROM ${from}`,
    );
  if ((await countRows(connection, target)) === 0) {
    const added = await insert("after");
    return { added, updated: 0, removed: 0, change: added > 0 ? "added" : null };
  }
  const row = internalColumn("row");
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE existing_rows AS SELECT ${columnList(columns, "t.")}, t.${rowNumber} AS ${row} FROM ${await withRowNumbers(connection, target)} t
     JOIN touched k ON ${sameKeys(keys, "k", "t")} WHERE ${which}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE removed_rows AS SELECT ${quotedList(identity, "p.")}, p.${row} FROM existing_rows p
     ANTI JOIN after a ON ${sameRow(columns, "a", "p")}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE new_rows AS SELECT ${columnList(columns, "a.")} FROM after a ANTI JOIN existing_rows p ON ${sameRow(columns, "a", "p")}`,
  );
  const updated = await countRows(
    connection,
    `new_rows n SEMI JOIN removed_rows r ON ${sameKeys(identity, "r", "n")}`,
  );
  const removed = await deleteNumberedRows(connection, target, `SELECT ${row} FROM removed_rows`);
  const added = await insert("new_rows");
  return {
    added: added - updated,
    updated,
    removed: removed - updated,
    change: removed > 0 ? "rewritten" : added > 0 ? "added" : null,
  };
}
