import type { DuckDBConnection } from "@duckdb/node-api";
import type { Ledger } from "../connectors/target/checkpoint-store.ts";
import type { Mark } from "../connectors/target/target.ts";
import { sendingOf } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { readMark, writeMark } from "./checkpoints.ts";

const never = new AbortController().signal;

/**
 * The marks of targets that cannot keep their own. They are written on the run's own connection, in one transaction with what
 * else is to be remembered of the run.
 */
export class WarehouseLedger implements Ledger {
  readonly #warehouse: Warehouse;
  readonly #catalog: string;
  #run: { readonly connection: DuckDBConnection; readonly also: () => Promise<void> } | undefined;

  constructor(warehouse: Warehouse, catalog: string) {
    this.#warehouse = warehouse;
    this.#catalog = catalog;
  }

  /** From now on marks are written within this run. */
  within(connection: DuckDBConnection, also: () => Promise<void>): void {
    this.#run = { connection, also };
  }

  read(stream: string): Promise<Mark | undefined> {
    return this.#apart((connection) => readMark(connection, this.#catalog, stream));
  }

  async write(stream: string, mark: Mark): Promise<void> {
    if (!this.#run) throw new Error("a mark is written within a run");
    const { connection, also } = this.#run;
    await writeMark(connection, this.#catalog, stream, mark);
    await connection.run(`DELETE FROM ${sendingOf(this.#catalog)} WHERE stream = ${literal(stream)}`);
    await also();
    await connection.run("COMMIT");
    await connection.run("BEGIN");
  }

  #apart<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return inTransaction(this.#warehouse, never, work);
  }
}
