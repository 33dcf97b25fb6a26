import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event } from "@lakehelm/contract";
import { type Client, createClient } from "@lakehelm/contract/client";
import { someOf } from "@lakehelm/testing/nightly";
import { pino } from "pino";
import type { Dependencies } from "../core/dependencies.ts";
import { openVault } from "../core/secrets/vault.ts";
import type { DatabaseRow } from "../core/store/database.ts";
import { uuidV7 } from "../core/system.ts";
import type { Platform } from "../runtime/platforms/platform.ts";
import { type Server, startServer } from "../server.ts";
import { readSettings } from "../settings.ts";
import { secretKey } from "../web/identity/first-credential.ts";
import { freshDatabase } from "./postgres.ts";
import { writeMigrated } from "./sqlite.ts";

// run.js does the same for the program: it more than halves the time in which the engine starts.
enableCompileCache();

export type DatabaseEngine = "sqlite" | "postgres";
export const engines: readonly DatabaseEngine[] = ["sqlite", "postgres"];
/** For slow suites that do not test the database: nightly runs use both databases, all others PostgreSQL. */
export const enginesOfSlowSuites = someOf(engines, 1);

/** A name that no other test on a shared server has. */
export const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;

export interface TestServerOptions {
  readonly engine?: DatabaseEngine;
  /** Environment variables beyond the defaults of a test. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly platforms?: readonly Platform[];
  readonly now?: () => Date;
  readonly monotonicMs?: () => number;
  /** False: answers are not checked against their schemas, because a check takes longer than creating the answer. */
  readonly checkAnswers?: boolean;
}

export interface TestServer {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  readonly server: Server;
  readonly dataDir: string;
  /**
   * The server's dependencies: for functions that only a platform calls, or to simulate a crash in the middle of one.
   */
  readonly deps: Dependencies;
  /** Sends a request unchanged, with the token unless it has its own. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** All events so far: up to a thousand, by kind and subject. */
  events(kind?: string, subject?: string): Promise<Event[]>;
  /** All stored rows, by table; on PostgreSQL each row with the transaction that wrote it. */
  rows(): Promise<Record<string, readonly DatabaseRow[]>>;
  /** The lines logged so far. */
  readonly logged: readonly string[];
  /** Stops the server and starts it on the same state; `meanwhile` runs in between. */
  restart(settings?: Readonly<Record<string, string>>, meanwhile?: () => void): Promise<TestServer>;
  /** Stops the server while requests run, which get no response, and starts it on the same state. */
  crash(): Promise<TestServer>;
  /** Another server on the same PostgreSQL database, with its own data folder. */
  another(): Promise<TestServer>;
  close(): Promise<void>;
}

/** A real server on a free port, with its own state; every response is checked against its schema. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const givenDir = options.settings?.PLATFORM_DATA_DIR;
  const dataDir = givenDir ?? (await mkdtemp(join(tmpdir(), "lakehelm-")));
  const database =
    options.engine === "postgres"
      ? await freshDatabase(`lakehelm_${randomUUID().replaceAll("-", "")}`)
      : undefined;
  if (!database && givenDir === undefined) await writeMigrated(join(dataDir, "lakehelm.db"));
  const clean = async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return start(options, dataDir, database?.url, clean);
}

async function start(
  options: TestServerOptions,
  dataDir: string,
  databaseUrl: string | undefined,
  clean: () => Promise<void>,
): Promise<TestServer> {
  const token = "tst_5Vq8RwYk2mHcXz7LbN4dPj";
  const settings = readSettings({
    PORT: "0",
    APPS_PORT: "0",
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_SERVICE_AUTH_TOKEN: token,
    DATABASE_URL: databaseUrl,
    PLATFORM_CONNECTOR_FOLDERS: tmpdir(),
    ...options.settings,
  });
  const logged: string[] = [];
  const { now } = options;
  // A test that moves the clock ahead also moves the monotonic clock, unless it sets another one.
  const monotonicMs = now === undefined ? () => performance.now() : advancesOf(now);
  const system = {
    now: now ?? (() => new Date()),
    monotonicMs: options.monotonicMs ?? monotonicMs,
    newId: uuidV7(Date.now, randomBytes),
    randomBytes,
  };
  const server = await startServer(settings, {
    system,
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    checkAnswers: options.checkAnswers ?? true,
    ...(options.platforms && { platforms: options.platforms }),
  });
  const { url, store } = server;
  const key = await secretKey(settings, dataDir, randomBytes);
  const crashed = new AbortController();
  const client = createClient({
    baseUrl: url,
    token,
    retries: 0,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([crashed.signal, ...(init?.signal ? [init.signal] : [])]),
      }),
  });
  async function again(more?: Readonly<Record<string, string>>, meanwhile?: () => void): Promise<TestServer> {
    await server.stop();
    meanwhile?.();
    return start({ ...options, settings: { ...options.settings, ...more } }, dataDir, databaseUrl, clean);
  }
  return {
    url,
    token,
    client,
    server,
    dataDir,
    deps: { settings, store, system, vault: openVault(key, randomBytes) },
    logged,
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    async events(kind, subject) {
      await server.events.seal();
      const query = { limit: 1000, ...(kind && { kind }), ...(subject && { subject }) };
      return (await client.readEvents({ query })).events;
    },
    async rows() {
      await server.events.seal();
      const read = (sql: string) => store.engine.read({ sql, parameters: [] });
      const [tables, columns] =
        store.engine.name === "postgres"
          ? ["select tablename as name from pg_tables where schemaname = 'public'", "xmin, *"]
          : ["select name from sqlite_schema where type = 'table'", "*"];
      // Leases and cursors of the event log change periodically, independent of requests.
      const names = (await read(tables))
        .map(({ name }) => String(name))
        .filter((name) => name !== "leases" && name !== "cursors");
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await read(`select ${columns} from ${name}`)])),
      );
    },
    restart: again,
    crash() {
      crashed.abort();
      return again();
    },
    async another() {
      const folder = await mkdtemp(join(tmpdir(), "lakehelm-"));
      const same = { ...options, settings: { ...options.settings, PLATFORM_SECRET_KEY: key } };
      return start(same, folder, databaseUrl, () => rm(folder, { recursive: true, force: true }));
    },
    async close() {
      await server.stop();
      await clean();
    },
  };
}

/** A monotonic clock: the sum of all forward moves of a clock. */
function advancesOf(now: () => Date): () => number {
  let sum = 0;
  let last = now().getTime();
  return () => {
    const time = now().getTime();
    sum += Math.max(0, time - last);
    last = time;
    return sum;
  };
}
