import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { encodeCopy } from "../connectors/postgresql/copy-encoding.ts";
import type { Cell, Changes } from "../connectors/target/target.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { literal, quote } from "../warehouse/names.ts";
import { list } from "../warehouse/relation.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

export interface OutgoingRows {
  readonly warehouse: Warehouse;
  /** Its transaction stands still for as long as the rows are read. */
  readonly connection: DuckDBConnection;
  readonly run: string;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly relation: string;
  /** The relation with the keys that are to go. */
  readonly gone: string | undefined;
  readonly rows: number;
  readonly whole: boolean;
  readonly reject: Changes["reject"];
  readonly sending?: string;
}

/** The rows of a run for a target, in the ways that targets take them. */
export function changesOf(outgoing: OutgoingRows): Changes & { clear(): Promise<void> } {
  const { warehouse, connection, relation, gone, rows, whole, columns, keys, reject } = outgoing;
  const file = join(warehouse.staging, `out-${outgoing.run}.duckdb`);
  const select = (expressions: readonly string[], from: string) =>
    `SELECT ${expressions.join(", ")} FROM ${from}`;

  return {
    rows,
    whole,
    reject,
    sending: outgoing.sending ?? "",
    batches: (expressions, size, order) =>
      batched(
        connection,
        select(expressions, relation) + (order ? ` ORDER BY ${order.join(", ")}` : ""),
        size,
      ),
    gone: gone ? (expressions, size) => batched(connection, select(expressions, gone), size) : undefined,
    copy: (expressions, refuse) => encodeCopy(connection, select(expressions, relation), refuse),
    async file() {
      const stage = quote(`out_${outgoing.run}`);
      const beside = await warehouse.connect();
      try {
        await rm(file, { force: true });
        await beside.run(`ATTACH ${literal(file)} AS ${stage}`);
        await connection.run(`CREATE TABLE ${stage}.changes AS SELECT ${list(columns)} FROM ${relation}`);
        if (gone) {
          await connection.run(
            `CREATE TABLE ${stage}.gone AS SELECT ${keys.map(quote).join(", ")} FROM ${gone}`,
          );
        }
        // Others see the file only now; the rows need not stand still any longer.
        await connection.run("COMMIT");
        await beside.run(`DETACH ${stage}`);
        await connection.run("BEGIN");
      } finally {
        beside.closeSync();
      }
      return file;
    },
    clear: () => rm(file, { force: true }),
  };
}

/** A batch is asked for when the one before was taken: a slow target holds the rows back in the warehouse. */
async function* batched(connection: DuckDBConnection, sql: string, size: number): AsyncGenerator<Cell[][]> {
  const result = await connection.stream(sql);
  let batch: Cell[][] = [];
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

function cellOf(value: DuckDBValue): Cell {
  if (value === null || typeof value !== "object") return value;
  return "bytes" in value ? value.bytes : String(value);
}
