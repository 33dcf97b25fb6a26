import { rmSync } from "node:fs";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { EngineOptions } from "../protocol/engine.ts";
import { defaultLimits, type EngineLimits } from "../protocol/limits.ts";
import { DataProblem } from "../protocol/problem.ts";
import { compact } from "./compaction.ts";
import { withFileMutex } from "./file-mutex.ts";
import { internalTables, isAbout, migrations, sentRows, versionsTable } from "./internal-tables.ts";
import { databaseAlias, internalSchema, literal, quote, sqlName, type TableName } from "./names.ts";
import { defineFunctions } from "./queries/function-definitions.ts";
import { Translator } from "./queries/translator.ts";
import { scalar } from "./relation.ts";
import { ReaderThreads } from "./ring-buffer/reader-threads.ts";
import { RingRelations } from "./ring-buffer/ring-relation.ts";
import { rowNumber, withRowNumbers } from "./row-numbers.ts";

export interface WarehouseOptions
  extends Pick<EngineOptions, "memoryMb" | "threads" | "limits" | "lockWaitMs"> {
  /** The folder of this environment. It holds `<catalog>.duckdb` files, and our own folders, whose names begin with a dot. */
  readonly folder: string;
}

/**
 * How a transaction changes the rows of a table: `added` only adds rows, `rewritten` also changes or removes existing
 * rows, `recreated` replaces all rows, regardless of their watermarks.
 */
export type TableChange = "added" | "rewritten" | "recreated";

/** The files that an external DuckDB can open. */
export interface ExternalAccess {
  /** DuckDB files. The logs that belong to them are included. */
  readonly databases?: readonly string[];
  readonly files?: readonly string[];
  /** All files in them. */
  readonly folders?: readonly string[];
  /** Whether queries without a join return rows in the order of their files. That takes more memory. */
  readonly keepsOrder?: boolean;
}

const extension = ".duckdb";

/** The extensions of the logs beside a DuckDB file. */
export const duckdbLogExtensions: readonly string[] = [".wal", ".wal.checkpoint", ".wal.recovery"];

/**
 * The warehouse of one environment: one DuckDB with one file per catalog. It can open no other files, and its configuration
 * is locked. Files of connectors are read and written by an external DuckDB (`openExternal`).
 */
export class Warehouse {
  readonly stagingFolder: string;
  /** Reads rows from worker threads. */
  readonly ringRelations: RingRelations;
  readonly readers = new ReaderThreads();
  /** Translates the Databricks dialect to DuckDB's. */
  readonly translator = new Translator();
  /** Limits of queries. */
  readonly limits: EngineLimits;
  readonly #options: WarehouseOptions;
  readonly #instance: DuckDBInstance;
  readonly #first: DuckDBConnection;
  readonly #attached = new Map<string, Promise<void>>();
  #externals = 0;
  /** The bytes of tables in memory that the last checkpoint could not write: those of temporary tables. */
  #unsaved = 0;
  /** Catalogs that have their internal tables. Other catalogs cannot be read yet. */
  readonly #ready = new Set<string>();

  private constructor(options: WarehouseOptions, instance: DuckDBInstance, first: DuckDBConnection) {
    this.#options = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.#instance = instance;
    this.#first = first;
    this.stagingFolder = join(options.folder, ".staging");
    this.ringRelations = RingRelations.register(first);
  }

  /** Opening also writes: the logs that a killed process left are applied. */
  static open(options: WarehouseOptions): Promise<Warehouse> {
    return withFileMutex(options.folder, () => Warehouse.#open(options));
  }

  static async #open(options: WarehouseOptions): Promise<Warehouse> {
    const { folder, lockWaitMs = 10_000 } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(":memory:", configuration(options));
    try {
      const first = await instance.connect();
      // DuckDB's lock on this file locks the whole folder. It ends with the process, even if that is killed.
      const lock = literal(join(folder, ".lock"));
      await waitForLock(lockWaitMs, () => first.run(`ATTACH ${lock} AS _lock`));
      // Files that an earlier process staged do not belong to any run now.
      for (const path of [join(folder, ".staging"), spillFolder(options)]) {
        await rm(path, { recursive: true, force: true });
        await mkdir(path, { recursive: true, mode: 0o700 });
      }
      await limitSpill(first, options);
      await first.run("SET GLOBAL TimeZone = 'UTC'");
      await defineFunctions(first);
      await first.run(`SET allowed_directories = [${literal(`${folder}/`)}]`);
      await first.run("SET enable_external_access = false");
      await first.run("SET lock_configuration = true");
      const warehouse = new Warehouse(options, instance, first);
      for (const file of await readdir(folder)) {
        const catalog = file.endsWith(extension) ? file.slice(0, -extension.length) : "";
        if (/^[a-z0-9][a-z0-9_-]*$/.test(catalog)) await warehouse.#attach(catalog);
      }
      for (const catalog of warehouse.catalogs) await warehouse.#compactSentRows(catalog);
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
    return [...this.#ready].sort();
  }

  /** Creates the catalog if it does not exist. */
  attach(catalog: string): Promise<void> {
    const known = this.#attached.get(catalog);
    if (known) return known;
    const pending = this.#whileNothingCommits(() => this.#attach(catalog)).catch((error) => {
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
    if (!this.#attached.has(catalog)) this.#attached.set(catalog, Promise.resolve());
    this.#ready.add(catalog);
  }

  /**
   * Several exports write to this table at once, so it is rewritten while there are none. If that fails, the next open tries
   * it again.
   */
  async #compactSentRows(catalog: string): Promise<void> {
    const first = this.#first;
    await first.run("BEGIN");
    try {
      await compact(first, sentRows(catalog), this.memoryMb);
      await first.run("COMMIT");
    } catch {
      await first.run("ROLLBACK");
    }
  }

  /** A new connection with its own transactions and temporary tables. The caller must close it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  /**
   * Commits a transaction. While DuckDB commits more rows than a row group has, other transactions see some of them. `lastRow`
   * waits for that. Nothing commits, and so no file of the folder gets new content, while a backup holds the commits
   * (docs/decisions/0042).
   */
  async commit(connection: DuckDBConnection): Promise<void> {
    await this.#whileNothingCommits(async () => {
      await connection.run("COMMIT");
      await this.#saveSmallTables();
    });
  }

  /**
   * DuckDB keeps a changed table in memory, 10 KB for the smallest, until its log has 16 MB. With thousands of small
   * tables, the memory is full before that, and again when a restart replays the log: the catalog could not be opened
   * anymore. So a checkpoint is made earlier. DuckDB refuses a checkpoint while others write; the next commit tries
   * again. The commit itself is done, so an error here must not look like a failed commit.
   */
  async #saveSmallTables(): Promise<void> {
    const most = (this.memoryMb * 1_000_000) / 4;
    try {
      if ((await this.#unsavedBytes()) <= this.#unsaved + most) return;
      for (const catalog of this.#ready) await this.#first.run(`CHECKPOINT ${quote(databaseAlias(catalog))}`);
      this.#unsaved = await this.#unsavedBytes();
    } catch {}
  }

  async #unsavedBytes(): Promise<number> {
    const bytes = Number(
      await scalar(
        this.#first,
        "SELECT memory_usage_bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'",
      ),
    );
    this.#unsaved = Math.min(this.#unsaved, bytes);
    return bytes;
  }

  /**
   * The last row of a table that the transaction sees, and -1 if there is none. Rows after it are of transactions that are
   * being committed: a reader that must not miss or repeat a row reads no further (docs/decisions/0020).
   */
  async lastRow(connection: DuckDBConnection, table: TableName, from = 0): Promise<number> {
    const rows = await withRowNumbers(connection, sqlName(table));
    const sql = `SELECT max(${rowNumber}) FROM ${rows} WHERE ${rowNumber} >= ${from}`;
    return Number((await this.#whileNothingCommits(() => scalar(connection, sql))) ?? -1);
  }

  #whileNothingCommits<Result>(work: () => Promise<Result>): Promise<Result> {
    return withFileMutex(this.#options.folder, work);
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
    const create = `CREATE SCHEMA IF NOT EXISTS ${quote(databaseAlias(catalog))}.${quote(schema)}`;
    await this.#whileNothingCommits(() => this.#first.run(create));
  }

  /**
   * Increases the table's version, in the transaction that changes the table. Triggers see from it that the table changed,
   * and streams whether existing rows did (docs/decisions/0020). A table with too many deleted rows is rewritten.
   */
  async recordChange(
    connection: DuckDBConnection,
    name: TableName,
    at: string,
    change: TableChange,
  ): Promise<void> {
    const isRewritten = change !== "added";
    const isRecreated = change === "recreated";
    if (isRewritten) await compact(connection, name, this.memoryMb);
    const versions = versionsTable(name.catalog);
    const rewritten = isRewritten ? "version + 1" : "rewritten";
    const recreated = isRecreated ? "version + 1" : "recreated";
    const done = await connection.runAndReadAll(
      `UPDATE ${versions} SET version = version + 1, changed_at = ${literal(at)}, rewritten = ${rewritten}, recreated = ${recreated} WHERE ${isAbout(name)}`,
    );
    if (Number(done.getRowsJson()[0]?.[0]) > 0) return;
    const first = `${literal(name.schema)}, ${literal(name.table)}, 1, ${literal(at)}, ${isRewritten ? 1 : 0}, ${isRecreated ? 1 : 0}`;
    await connection.run(
      `INSERT INTO ${versions} ("schema", "table", version, changed_at, rewritten, recreated) VALUES (${first})`,
    );
  }

  /**
   * Opens an external DuckDB for files of connectors. It can open what `access` names and nothing else: a view in a foreign
   * database file cannot read another file. Links are followed, so the paths must be resolved. It has none of our files
   * attached. The caller must close it.
   */
  async openExternal(access: ExternalAccess): Promise<{ connection: DuckDBConnection; close(): void }> {
    const { databases = [], files = [], folders = [], keepsOrder = false } = access;
    // DuckDB names its temporary files by a number, so instances that share a folder overwrite each other's.
    const spill = join(spillFolder(this.#options), `external-${++this.#externals}`);
    const instance = await DuckDBInstance.create(":memory:", {
      ...configuration({ ...this.#options, memoryMb: externalMemoryMb(this.memoryMb) }),
      temp_directory: spill,
      preserve_insertion_order: String(keepsOrder),
    });
    const connection = await instance.connect();
    await limitSpill(connection, this.#options);
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    const logs = databases.flatMap((path) => duckdbLogExtensions.map((end) => path + end));
    const paths = [...databases, ...logs, ...files];
    await connection.run(`SET allowed_paths = [${paths.map(literal).join(", ")}]`);
    await connection.run(
      `SET allowed_directories = [${folders.map((path) => literal(`${path}/`)).join(", ")}]`,
    );
    await connection.run("SET enable_external_access = false");
    await connection.run("SET lock_configuration = true");
    return {
      connection,
      close() {
        connection.closeSync();
        instance.closeSync();
        rmSync(spill, { recursive: true, force: true });
      },
    };
  }

  close(): void {
    this.translator.close();
    this.readers.close();
    this.#first.closeSync();
    this.#instance.closeSync();
  }
}

/** A run that reads or writes files has two DuckDBs at once. With less than 128 MB, operations fail that could spill. */
const externalMemoryMb = (memoryMb: number): number =>
  Math.max(Math.floor(memoryMb / 2), Math.min(memoryMb, 128));

function configuration(options: WarehouseOptions): Record<string, string> {
  return {
    memory_limit: `${options.memoryMb}MB`,
    threads: String(options.threads),
    temp_directory: spillFolder(options),
    preserve_insertion_order: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  };
}

/** Where DuckDB puts what does not fit into memory. */
export const spillFolder = ({ folder, limits }: Pick<WarehouseOptions, "folder" | "limits">): string =>
  limits?.spillFolder === undefined ? join(folder, ".spill") : join(limits.spillFolder, basename(folder));

/**
 * On a small disk, spilling is limited to less than the setting, so that others can still write. DuckDB ignores this
 * limit in the configuration with which it is opened, although it shows the limit.
 */
async function limitSpill(connection: DuckDBConnection, { folder, limits }: WarehouseOptions): Promise<void> {
  const { spillMb: most, diskReserveMb, spillFolder: elsewhere } = { ...defaultLimits, ...limits };
  if (elsewhere !== undefined) await mkdir(elsewhere, { recursive: true, mode: 0o700 });
  const available = (await freeMb(elsewhere ?? folder)) - diskReserveMb;
  const megabytes = Math.floor(Math.max(1, Math.min(most, available)));
  await connection.run(`SET GLOBAL max_temp_directory_size = '${megabytes}MB'`);
}

/** Free space on the disk of a folder. */
export async function freeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1_000_000;
}

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
