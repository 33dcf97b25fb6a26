import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event } from "@lakehelm/contract";
import { type Client, createClient } from "@lakehelm/contract/client";
import { pino } from "pino";
import { uuidV7 } from "../ids.ts";
import type { Platform } from "../platforms/platform.ts";
import { type Server, startServer } from "../server.ts";
import { readSettings } from "../settings.ts";
import { freshDatabase } from "./postgres.ts";

export type Engine = "sqlite" | "postgres";
export const engines: readonly Engine[] = ["sqlite", "postgres"];

export interface TestServerOptions {
  readonly engine?: Engine;
  /** Settings beyond those of a test: names and values as in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly platforms?: readonly Platform[];
  readonly now?: () => Date;
}

export interface TestServer {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  readonly server: Server;
  readonly dataDir: string;
  /** A request as it is, with the token unless it brings its own. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** All events so far. */
  events(kind?: string): Promise<Event[]>;
  /** What was logged so far, a line each. */
  readonly logged: readonly string[];
  /** Stops and starts on the same state. */
  restart(settings?: Readonly<Record<string, string>>): Promise<TestServer>;
  close(): Promise<void>;
}

/** A real server on a free port, with a state of its own; every answer is held against its schema. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-"));
  const database =
    options.engine === "postgres"
      ? await freshDatabase(`lakehelm_${randomUUID().replaceAll("-", "")}`)
      : undefined;
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
  const token = "test-service-token";
  const settings = readSettings({
    PORT: "0",
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_SERVICE_AUTH_TOKEN: token,
    DATABASE_URL: databaseUrl,
    ...options.settings,
  });
  const logged: string[] = [];
  const nature = {
    now: options.now ?? (() => new Date()),
    newId: uuidV7(Date.now, randomBytes),
    randomBytes,
  };
  const server = await startServer(settings, {
    nature,
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    checkAnswers: true,
    ...(options.platforms && { platforms: options.platforms }),
  });
  const { url } = server;
  const client = createClient({ baseUrl: url, token, retries: 0 });
  return {
    url,
    token,
    client,
    server,
    dataDir,
    logged,
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    async events(kind) {
      await server.events.settle();
      const { events } = await client.readEvents({ query: { limit: 1000, ...(kind && { kind }) } });
      return events;
    },
    async restart(more) {
      await server.stop();
      return start({ ...options, settings: { ...options.settings, ...more } }, dataDir, databaseUrl, clean);
    },
    async close() {
      await server.stop();
      await clean();
    },
  };
}
