import type { DuckDBConnection } from "@duckdb/node-api";
import { marksTooMany, rewrite } from "../warehouse/compaction.ts";
import { sqlName, type TableName } from "../warehouse/names.ts";
import { sameKey } from "../warehouse/relation.ts";
import { forRowRanges } from "../warehouse/row-ranges.ts";
import { rowIdOf } from "./row-ids.ts";

interface RemovedRows {
  /** Temporary tables with the keys of the rows to remove. */
  readonly relations: readonly string[];
  readonly keys: readonly string[];
  /** How many rows of the table have these keys. */
  readonly count: number;
}

/**
 * Removes the rows of a table that have given keys. If the marks of deleted rows would need much of the memory, the
 * other rows are copied to a new table instead, which the commit would do after the deletion (docs/decisions/0068).
 */
export async function removeRows(
  connection: DuckDBConnection,
  table: TableName,
  { relations, keys, count }: RemovedRows,
  memoryMb: number,
): Promise<void> {
  if (relations.length === 0) return;
  const name = sqlName(table);
  const forKeys = async (work: (rows: string) => Promise<unknown>) => {
    for (const relation of relations) {
      const rowId = await rowIdOf(connection, relation);
      await forRowRanges(connection, relation, rowId, (isInRange) =>
        work(`${relation} c WHERE ${isInRange(`c.${rowId}`)} AND ${sameKey(keys, "t", "c")}`),
      );
    }
  };
  const rowId = await rowIdOf(connection, name);
  if (rowId === undefined || !(await marksTooMany(connection, table, memoryMb, count))) {
    return forKeys((rows) => connection.run(`DELETE FROM ${name} t USING ${rows}`));
  }
  await connection.run("CREATE OR REPLACE TEMP TABLE removed_row_ids (id BIGINT)");
  await forKeys((rows) =>
    connection.run(`INSERT INTO removed_row_ids SELECT t.${rowId} FROM ${name} t, ${rows}`),
  );
  await rewrite(connection, table, (copy) =>
    forRowRanges(connection, name, rowId, (isInRange) =>
      connection.run(
        `INSERT INTO ${copy} SELECT * FROM ${name} WHERE ${isInRange(rowId)} AND ${rowId} NOT IN (SELECT id FROM removed_row_ids WHERE ${isInRange("id")})`,
      ),
    ),
  );
  await connection.run("DROP TABLE removed_row_ids");
}
