import type { DuckDBConnection } from "@duckdb/node-api";
import type { CheckpointStore } from "../connectors/target/checkpoint-store.ts";
import type { Checkpoint } from "../connectors/target/target.ts";
import { pendingSendsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoints.ts";

const neverAborted = new AbortController().signal;

/** Stores the checkpoints of targets that cannot store their own, in one transaction with other records of the run. */
export class WarehouseCheckpointStore implements CheckpointStore {
  readonly #warehouse: Warehouse;
  readonly #catalog: string;
  #transaction:
    | { readonly connection: DuckDBConnection; readonly beforeCommit: () => Promise<void> }
    | undefined;

  constructor(warehouse: Warehouse, catalog: string) {
    this.#warehouse = warehouse;
    this.#catalog = catalog;
  }

  /** From now on `write` uses this connection, and calls `beforeCommit` before it commits. */
  useTransaction(connection: DuckDBConnection, beforeCommit: () => Promise<void>): void {
    this.#transaction = { connection, beforeCommit };
  }

  read(stream: string): Promise<Checkpoint | undefined> {
    return inTransaction(this.#warehouse, neverAborted, (connection) =>
      readCheckpoint(connection, this.#catalog, stream),
    );
  }

  async write(stream: string, checkpoint: Checkpoint): Promise<void> {
    if (!this.#transaction) throw new Error("A checkpoint can only be written within a run.");
    const { connection, beforeCommit } = this.#transaction;
    await writeCheckpoint(connection, this.#catalog, stream, checkpoint);
    await connection.run(`DELETE FROM ${pendingSendsTable(this.#catalog)} WHERE stream = ${literal(stream)}`);
    await beforeCommit();
    await this.#warehouse.commit(connection);
    await connection.run("BEGIN");
  }
}
