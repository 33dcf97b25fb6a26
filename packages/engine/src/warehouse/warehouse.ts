import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../problem.ts";
import { attachedAs, literal, ownSchema, quote, sqlName, type TableName } from "./names.ts";

export interface WarehouseOptions {
  /** The folder of this environment: `<catalog>.duckdb`, and folders of ours that begin with a dot. */
  readonly folder: string;
  readonly memoryMb: number;
  readonly threads: number;
}

const extension = ".duckdb";

/**
 * The warehouse of one environment: one DuckDB, one file for each catalog. It opens no file but its own, and its configuration
 * is locked. Files of connectors are read and written by `outside`, another DuckDB.
 */
export class Warehouse {
  readonly staging: string;
  readonly #options: WarehouseOptions;
  readonly #instance: DuckDBInstance;
  readonly #first: DuckDBConnection;
  readonly #attached = new Map<string, Promise<void>>();

  private constructor(options: WarehouseOptions, instance: DuckDBInstance, first: DuckDBConnection) {
    this.#options = options;
    this.#instance = instance;
    this.#first = first;
    this.staging = join(options.folder, ".staging");
  }

  static async open(options: WarehouseOptions): Promise<Warehouse> {
    const { folder, memoryMb, threads } = options;
    // What an earlier process staged belongs to no run any more.
    for (const name of [".staging", ".spill"]) {
      await rm(join(folder, name), { recursive: true, force: true });
      await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    }
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      temp_directory: join(folder, ".spill"),
      preserve_insertion_order: "false",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    const first = await instance.connect();
    await first.run("SET GLOBAL TimeZone = 'UTC'");
    await first.run(`SET allowed_directories = [${literal(`${folder}/`)}]`);
    await first.run("SET enable_external_access = false");
    await first.run("SET lock_configuration = true");
    const warehouse = new Warehouse(options, instance, first);
    for (const file of await readdir(folder)) {
      if (file.endsWith(extension)) await warehouse.attach(file.slice(0, -extension.length));
    }
    return warehouse;
  }

  get catalogs(): string[] {
    return [...this.#attached.keys()].sort();
  }

  /** Makes the catalog if there is none. */
  attach(catalog: string): Promise<void> {
    const known = this.#attached.get(catalog);
    if (known) return known;
    const attaching = this.#attach(catalog).catch((error) => {
      this.#attached.delete(catalog);
      throw error;
    });
    this.#attached.set(catalog, attaching);
    return attaching;
  }

  async #attach(catalog: string): Promise<void> {
    const file = literal(join(this.#options.folder, catalog + extension));
    const alias = quote(attachedAs(catalog));
    await this.#first.run(`ATTACH IF NOT EXISTS ${file} AS ${alias}`);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${alias}.${ownSchema}`);
    await this.#first.run(
      `CREATE TABLE IF NOT EXISTS ${alias}.${ownSchema}.versions ("schema" VARCHAR, "table" VARCHAR, version BIGINT, changed_at TIMESTAMPTZ)`,
    );
  }

  /** A connection of one's own: transactions and temporary tables are seen by nobody else. To be closed. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  async hasTable({ catalog, schema, table }: TableName): Promise<boolean> {
    if (!this.#attached.has(catalog)) return false;
    const found = await this.#first.runAndReadAll(
      `SELECT 1 FROM duckdb_tables() WHERE database_name = ${literal(attachedAs(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`,
    );
    return found.currentRowCount > 0;
  }

  /** The catalog and the schema of a table that is about to be made. */
  async makeRoom({ catalog, schema }: TableName): Promise<void> {
    await this.attach(catalog);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${quote(attachedAs(catalog))}.${quote(schema)}`);
  }

  /** In the transaction that changes the table: whoever waits for changes sees that there was one. */
  async touch(connection: DuckDBConnection, name: TableName, at: string): Promise<void> {
    const versions = sqlName({ catalog: name.catalog, schema: ownSchema, table: "versions" });
    const which = `"schema" = ${literal(name.schema)} AND "table" = ${literal(name.table)}`;
    const done = await connection.runAndReadAll(
      `UPDATE ${versions} SET version = version + 1, changed_at = ${literal(at)} WHERE ${which}`,
    );
    if (Number(done.getRowsJson()[0]?.[0]) > 0) return;
    await connection.run(
      `INSERT INTO ${versions} VALUES (${literal(name.schema)}, ${literal(name.table)}, 1, ${literal(at)})`,
    );
  }

  /** Another DuckDB, for files of others: it may open any, and none of ours is attached to it. To be closed. */
  async outside(): Promise<{ connection: DuckDBConnection; close(): void }> {
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${this.#options.memoryMb}MB`,
      threads: String(this.#options.threads),
      temp_directory: join(this.#options.folder, ".spill"),
      preserve_insertion_order: "false",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    return {
      connection,
      close() {
        connection.closeSync();
        instance.closeSync();
      },
    };
  }

  close(): void {
    this.#first.closeSync();
    this.#instance.closeSync();
  }
}

/** DuckDB's message without its kind and its excerpt of our SQL. */
export const plainMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/^[A-Za-z ]+ Error: /, "") ?? "";

export const passingProblem = (sentence: string, cause: unknown): DataProblem =>
  new DataProblem(sentence, { passing: true, cause });
