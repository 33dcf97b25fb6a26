import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { EngineOptions } from "../protocol/engine.ts";
import { DataProblem } from "../protocol/problem.ts";
import { internalTables, migrations, versionsTable } from "./internal-tables.ts";
import { databaseAlias, internalSchema, literal, quote, type TableName } from "./names.ts";
import { defineFunctions } from "./queries/spark-functions.ts";
import { Translator } from "./queries/translator.ts";
import { RingRelations } from "./ring-buffer/ring-relation.ts";

export interface WarehouseOptions extends Pick<EngineOptions, "memoryMb" | "threads" | "lockWaitMs"> {
  /** The folder of this environment. It holds `<catalog>.duckdb` files, and our own folders, whose names begin with a dot. */
  readonly folder: string;
}

/**
 * How a transaction changes the rows of a table: `added` only adds rows, `rewritten` also changes or removes existing ones.
 */
export type TableChange = "added" | "rewritten";

const extension = ".duckdb";

/**
 * The warehouse of one environment: one DuckDB with one file per catalog. It can open no other files, and its configuration
 * is locked. Files of connectors are read and written by an external DuckDB (`openExternal`).
 */
export class Warehouse {
  readonly stagingFolder: string;
  /** Reads rows from worker threads. */
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
      // DuckDB's lock on this file locks the whole folder. It ends with the process, even if that is killed.
      const lock = literal(join(folder, ".lock"));
      await waitForLock(lockWaitMs, () => first.run(`ATTACH ${lock} AS _lock`));
      // Files that an earlier process staged do not belong to any run now.
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

  /** Creates the catalog if it does not exist. */
  attach(catalog: string): Promise<void> {
    const known = this.#attached.get(catalog);
    if (known) return known;
    const pending = this.#attach(catalog).catch((error) => {
      this.#attached.delete(catalog);
      throw error;
    });
    this.#attached.set(catalog, pending);
    return pending;
  }

  async #attach(catalog: string): Promise<void> {
    const file = literal(join(this.#options.folder, catalog + extension));
    const alias = quote(databaseAlias(catalog));
    await this.#first.run(`ATTACH IF NOT EXISTS ${file} AS ${alias}`);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${alias}.${internalSchema}`);
    for (const table of internalTables(catalog)) await this.#first.run(`CREATE TABLE IF NOT EXISTS ${table}`);
    for (const statement of migrations(catalog)) await this.#first.run(statement);
  }

  /** A new connection with its own transactions and temporary tables. The caller must close it. */
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

  /** All tables that callers can see. */
  async tables(): Promise<TableName[]> {
    const found = await this.#first.runAndReadAll(
      `SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE schema_name <> ${literal(internalSchema)} ORDER BY ALL`,
    );
    return this.#named(found.getRowsJson());
  }

  /** All tables and views that callers can see. */
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

  /** Creates the catalog and schema for a table. */
  async createSchema({ catalog, schema }: TableName): Promise<void> {
    await this.attach(catalog);
    await this.#first.run(`CREATE SCHEMA IF NOT EXISTS ${quote(databaseAlias(catalog))}.${quote(schema)}`);
  }

  /**
   * Increases the table's version, in the transaction that changes the table. Triggers see from it that the table changed,
   * and streams whether existing rows did (docs/decisions/0020).
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

  /**
   * Opens an external DuckDB for files of connectors. It can open these files, and files in these folders, and no others:
   * a view in a foreign database file cannot read anything else. It has none of our files attached. The caller must close
   * it.
   */
  async openExternal(paths: readonly string[]): Promise<{ connection: DuckDBConnection; close(): void }> {
    const instance = await DuckDBInstance.create(":memory:", configuration(this.#options));
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    const files = paths.flatMap((path) =>
      ["", ".wal", ".wal.checkpoint", ".wal.recovery"].map((end) => path + end),
    );
    const folders = paths.map((path) => `${path}/`);
    await connection.run(`SET allowed_paths = [${files.map(literal).join(", ")}]`);
    await connection.run(`SET allowed_directories = [${folders.map(literal).join(", ")}]`);
    await connection.run("SET enable_external_access = false");
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

async function waitForLock(timeoutMs: number, attach: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      await attach();
      return;
    } catch (error) {
      if (!/could not set lock|used by another process/i.test(String(error))) throw error;
      if (performance.now() > end) {
        const sentence = "Another process has the warehouse of this environment open.";
        throw new DataProblem(sentence, { retryable: true, cause: error });
      }
    }
    await pause(100);
  }
}
