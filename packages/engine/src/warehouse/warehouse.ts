import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import { internalTables, migrations, versionsTable } from "./internal-tables.ts";
import { databaseAlias, internalSchema, literal, quote, type TableName } from "./names.ts";
import { defineFunctions } from "./queries/spark-functions.ts";
import { Translator } from "./queries/translator.ts";
import { RingRelations } from "./ring-buffer/ring-relation.ts";

export interface WarehouseOptions {
  /** The folder of this environment: `<catalog>.duckdb`, and folders of ours that begin with a dot. */
  readonly folder: string;
  readonly memoryMb: number;
  readonly threads: number;
  /** How long to wait for a process that holds the folder: one that was killed does so for a moment longer. */
  readonly lockWaitMs?: number;
}

/** What a transaction does to a table's rows: it only adds some, or it also changes, removes or makes them anew. */
export type TableChange = "added" | "rewritten";

const extension = ".duckdb";

/**
 * The warehouse of one environment: one DuckDB, one file for each catalog. It opens no file but its own, and its configuration
 * is locked. Files of connectors are read and written by `outside`, another DuckDB.
 */
export class Warehouse {
  readonly stagingFolder: string;
  /** Rows from threads, as relations. */
  readonly ringRelations: RingRelations;
  /** From the Databricks dialect to DuckDB's. */
  readonly translator = new Translator();
  readonly #options: WarehouseOptions;
  readonly #instance: DuckDBInstance;
  readonly #first: DuckDBConnection;
  readonly #attached = new Map<string, Promise<void>>();

  private constructor(options: WarehouseOptions, instance: DuckDBInstance, first: DuckDBConnection) {
    this.#options = options;
    this.#instance = instance;
    this.#first = first;
    this.stagingFolder = join(options.folder, ".staging");
    this.ringRelations = RingRelations.register(first);
  }

  static async open(options: WarehouseOptions): Promise<Warehouse> {
    const { folder, lockWaitMs = 10_000 } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(":memory:", configuration(options));
    try {
      const first = await instance.connect();
      // DuckDB's lock on this file is ours on the folder. It ends with the process, however that ends.
      const lock = literal(join(folder, ".lock"));
      await waitForLock(lockWaitMs, () => first.run(`ATTACH ${lock} AS _lock`));
      // What an earlier process staged belongs to no run any more.
      for (const name of [".staging", ".spill"]) {
        await rm(join(folder, name), { recursive: true, force: true });
        await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
      }
      await first.run("SET GLOBAL TimeZone = 'UTC'");
      await defineFunctions(first);
      await first.run(`SET allowed_directories = [${literal(`${folder}/`)}]`);
      await first.run("SET enable_external_access = false");
      await first.run("SET lock_configuration = true");
      const warehouse = new Warehouse(options, instance, first);
      for (const file of await readdir(folder)) {
        const catalog = file.endsWith(extension) ? file.slice(0, -extension.length) : "";
        if (/^[a-z0-9][a-z0-9_-]*$/.test(catalog)) await warehouse.attach(catalog);
      }
      return warehouse;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  get folder(): string {
    return this.#options.folder;
  }

  get memoryMb(): number {
    return this.#options.memoryMb;
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
    const alias = quote(databaseAlias(catalog));
    await this.#first.run(`ATTACH IF NOT EXISTS ${file} AS ${alias}`);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${alias}.${internalSchema}`);
    for (const table of internalTables(catalog)) await this.#first.run(`CREATE TABLE IF NOT EXISTS ${table}`);
    for (const statement of migrations(catalog)) await this.#first.run(statement);
  }

  /** A connection of one's own: transactions and temporary tables are seen by nobody else. To be closed. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  async hasTable({ catalog, schema, table }: TableName): Promise<boolean> {
    if (!this.#attached.has(catalog)) return false;
    const found = await this.#first.runAndReadAll(
      `SELECT 1 FROM duckdb_tables() WHERE database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`,
    );
    return found.currentRowCount > 0;
  }

  /** Every table of a caller, by its name. */
  async tables(): Promise<TableName[]> {
    const found = await this.#first.runAndReadAll(
      `SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE schema_name <> ${literal(internalSchema)} ORDER BY ALL`,
    );
    return this.#named(found.getRowsJson());
  }

  /** Every table and view of a caller, by its name. */
  async relations(): Promise<TableName[]> {
    const found = await this.#first.runAndReadAll(
      `SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal AND schema_name <> ${literal(internalSchema)} ORDER BY ALL`,
    );
    return [...(await this.tables()), ...this.#named(found.getRowsJson())];
  }

  #named(rows: readonly (readonly unknown[])[]): TableName[] {
    const aliases = new Map(this.catalogs.map((catalog) => [databaseAlias(catalog), catalog]));
    return rows.flatMap(([alias, schema, table]) => {
      const catalog = aliases.get(String(alias));
      return catalog ? [{ catalog, schema: String(schema), table: String(table) }] : [];
    });
  }

  /** The catalog and the schema of a table that is about to be made. */
  async createSchema({ catalog, schema }: TableName): Promise<void> {
    await this.attach(catalog);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${quote(databaseAlias(catalog))}.${quote(schema)}`);
  }

  /**
   * In the transaction that changes the table: whoever waits for changes sees that there was one, and whoever reads it as a
   * stream sees whether the rows that were there still are (docs/decisions/0020).
   */
  async recordChange(
    connection: DuckDBConnection,
    name: TableName,
    at: string,
    change: TableChange,
  ): Promise<void> {
    const versions = versionsTable(name.catalog);
    const which = `"schema" = ${literal(name.schema)} AND "table" = ${literal(name.table)}`;
    const rewritten = change === "rewritten" ? "version + 1" : "rewritten";
    const done = await connection.runAndReadAll(
      `UPDATE ${versions} SET version = version + 1, changed_at = ${literal(at)}, rewritten = ${rewritten} WHERE ${which}`,
    );
    if (Number(done.getRowsJson()[0]?.[0]) > 0) return;
    const first = `${literal(name.schema)}, ${literal(name.table)}, 1, ${literal(at)}, ${change === "rewritten" ? 1 : 0}`;
    await connection.run(
      `INSERT INTO ${versions} ("schema", "table", version, changed_at, rewritten) VALUES (${first})`,
    );
  }

  /** Another DuckDB, for files of others: it may open any, and none of ours is attached to it. To be closed. */
  async openExternal(): Promise<{ connection: DuckDBConnection; close(): void }> {
    const instance = await DuckDBInstance.create(":memory:", configuration(this.#options));
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
    this.translator.close();
    this.#first.closeSync();
    this.#instance.closeSync();
  }
}

const configuration = ({ folder, memoryMb, threads }: WarehouseOptions): Record<string, string> => ({
  memory_limit: `${memoryMb}MB`,
  threads: String(threads),
  temp_directory: join(folder, ".spill"),
  preserve_insertion_order: "false",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
});

async function waitForLock(patienceMs: number, attach: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      await attach();
      return;
    } catch (error) {
      if (!/could not set lock|used by another process/i.test(String(error))) throw error;
      if (performance.now() > end) {
        const sentence = "Another process has opened the warehouse of this environment.";
        throw new DataProblem(sentence, { retryable: true, cause: error });
      }
    }
    await pause(100);
  }
}
