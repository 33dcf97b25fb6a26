import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@lakehelm/contract/client";
import { signal, withVariable } from "../runtime/processes/operating-system.ts";
import { markPrefix, markVariable } from "../runtime/processes/variables.ts";
import { freshDatabase } from "./postgres.ts";
import type { DatabaseEngine } from "./server.ts";

const runner = fileURLToPath(new URL("../../../../run.js", import.meta.url));
const program = fileURLToPath(new URL("../main.ts", import.meta.url));
const token = "tst_5Vq8RwYk2mHcXz7LbN4dPj";

interface StartedServer {
  readonly child: ChildProcess;
  readonly dataDir: string;
}

/** The servers of each test. They end before their data is deleted. */
const started = new WeakMap<TestContext, StartedServer[]>();

/** Apps and agents survive when their server is killed, so those of its data folder are ended here. */
async function endServers(t: TestContext): Promise<void> {
  const servers = started.get(t) ?? [];
  await Promise.all(
    servers
      .filter(({ child }) => child.exitCode === null && child.signalCode === null)
      .map(async ({ child }) => {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }),
  );
  for (const dataDir of new Set(servers.map(({ dataDir }) => dataDir))) {
    for (const { pid } of await processesOf(dataDir)) signal({ pid }, "SIGKILL");
  }
}

/** The processes of apps and agents that a server on this data folder has started. */
export async function processesOf(dataDir: string): Promise<{ readonly pid: number }[]> {
  const id = await readFile(join(dataDir, "data-folder-id"), "utf8").catch(() => undefined);
  return id === undefined ? [] : withVariable(markVariable, markPrefix(id.trim(), dataDir));
}

/** A data folder (and a database) that several starts share, and that is deleted when the test ends. */
export interface Home {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

export async function testHome(t: TestContext, engine: DatabaseEngine): Promise<Home> {
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-process-"));
  const database =
    engine === "postgres" ? await freshDatabase(`process_${randomUUID().replaceAll("-", "")}`) : undefined;
  t.after(async () => {
    await endServers(t);
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { dataDir, databaseUrl: database?.url };
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** Resolves with the exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Resolves when this line was logged. */
  logged(message: string): Promise<void>;
}

/** Environment variables beyond the defaults of a test. */
type MoreSettings = Readonly<Record<string, string>>;

/**
 * Runs the real program in its own process, which ends with the test. The log goes to a pipe, or to an open file. `by`:
 * a command that executes the program.
 */
export function spawnServer(
  t: TestContext,
  { dataDir, databaseUrl }: Home,
  settings: MoreSettings = {},
  stdout: "pipe" | number = "pipe",
  by: readonly string[] = [],
): ChildProcess {
  const [file = "", ...rest] = [...by, process.execPath, runner, program];
  const child = spawn(file, rest, {
    stdio: ["ignore", stdout, "pipe"],
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      APPS_PORT: "0",
      PLATFORM_ENV: "production",
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_SERVICE_AUTH_TOKEN: token,
      DATABASE_URL: databaseUrl,
      PLATFORM_CONNECTOR_FOLDERS: tmpdir(),
      ...settings,
    },
  });
  const folder = settings.PLATFORM_DATA_DIR ?? dataDir;
  started.set(t, [...(started.get(t) ?? []), { child, dataDir: folder }]);
  t.after(() => endServers(t));
  return child;
}

export async function startProcess(
  t: TestContext,
  home: Home,
  settings?: MoreSettings,
  by?: readonly string[],
): Promise<ServerProcess> {
  const child = spawnServer(t, home, settings, "pipe", by);
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const complaints: string[] = [];
  child.stderr?.on("data", (chunk) => complaints.push(String(chunk)));
  const lines: { msg: string; url?: string }[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout) {
    createInterface(child.stdout).on("line", (line) => {
      lines.push(JSON.parse(line));
      for (const look of waiting) look();
    });
  }
  const logged = (message: string) =>
    new Promise<void>((found) => {
      const look = () => {
        if (lines.some(({ msg }) => msg === message) && waiting.delete(look)) found();
      };
      waiting.add(look);
      look();
    });
  const failed = ended.then((code) => {
    throw new Error(`the server ended with ${code}: ${complaints.join("")}`);
  });
  await Promise.race([logged("listening"), failed]);
  failed.catch(() => {});
  const url = lines.find(({ msg }) => msg === "listening")?.url as string;
  return { child, url, token, client: createClient({ baseUrl: url, token, retries: 0 }), ended, logged };
}
