import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { ChangeSet } from "../connectors/target/target.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { CellValue } from "../warehouse/cell-value.ts";
import { literal, quote } from "../warehouse/names.ts";
import { columnList } from "../warehouse/relation.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { sortedParts } from "./sorted-rows.ts";

export interface ChangeSetOptions {
  readonly warehouse: Warehouse;
  /** The transaction of this connection keeps the rows stable while they are read. */
  readonly connection: DuckDBConnection;
  readonly run: string;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly relation: string;
  /** The relation with the keys to delete. */
  readonly deletedKeys: string | undefined;
  readonly rows: number;
  readonly whole: boolean;
  readonly reject: ChangeSet["reject"];
  readonly sendId?: string;
  readonly rowKey?: string;
}

/** The rows of a run, in each form that a target can read. */
export function createChangeSet(options: ChangeSetOptions): ChangeSet & { clear(): Promise<void> } {
  const { warehouse, connection, relation, deletedKeys, rows, whole, columns, keys, reject } = options;
  const file = join(warehouse.stagingFolder, `out-${options.run}.duckdb`);
  const select = (expressions: readonly string[], from: string) =>
    `SELECT ${expressions.join(", ")} FROM ${from}`;

  return {
    rows,
    whole,
    reject,
    sendId: options.sendId ?? "",
    ...(options.rowKey !== undefined && { rowKey: options.rowKey }),
    async *batches(expressions, size, order) {
      const parts = order
        ? await sortedParts(connection, {
            ...{ relation, rows, columns, expressions, order },
            ...{ batch: size, memoryMb: warehouse.memoryMb },
          })
        : [select(expressions, relation)];
      for (const part of parts) yield* readBatches(connection, part, size);
    },
    deletedKeys: deletedKeys
      ? (expressions, size) => readBatches(connection, select(expressions, deletedKeys), size)
      : undefined,
    stream: (expressions) => connection.stream(select(expressions, relation)),
    async stageFile() {
      const stage = quote(`out_${options.run}`);
      const second = await warehouse.connect();
      try {
        await rm(file, { force: true });
        await second.run(`ATTACH ${literal(file)} AS ${stage}`);
        await connection.run(
          `CREATE TABLE ${stage}.changes AS SELECT ${columnList(columns)} FROM ${relation}`,
        );
        if (deletedKeys) {
          await connection.run(
            `CREATE TABLE ${stage}.deleted_keys AS SELECT ${keys.map(quote).join(", ")} FROM ${deletedKeys}`,
          );
        }
        // The commit makes the file visible to other connections. After it, the rows may change.
        await warehouse.commit(connection);
        await second.run(`DETACH ${stage}`);
        await connection.run("BEGIN");
      } finally {
        second.closeSync();
      }
      return file;
    },
    clear: () => rm(file, { force: true }),
  };
}

/** Each batch is read when the consumer asks for it, so a slow target does not fill memory. */
async function* readBatches(
  connection: DuckDBConnection,
  sql: string,
  size: number,
): AsyncGenerator<CellValue[][]> {
  const result = await connection.stream(sql);
  let batch: CellValue[][] = [];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    for (const row of chunk.getRows()) {
      batch.push(row.map(cellOf));
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function cellOf(value: DuckDBValue): CellValue {
  if (value === null || typeof value !== "object") return value;
  return "bytes" in value ? value.bytes : String(value);
}
