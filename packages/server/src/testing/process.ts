import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@lakehelm/contract/client";
import { freshDatabase } from "./postgres.ts";
import type { DatabaseEngine } from "./server.ts";

const runner = fileURLToPath(new URL("../../../../run.js", import.meta.url));
const program = fileURLToPath(new URL("../main.ts", import.meta.url));
const token = "test-service-token";

/** A data folder (and a database) that several starts share, and that is deleted with the test. */
export interface Home {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

export async function testHome(t: TestContext, engine: DatabaseEngine): Promise<Home> {
  const dataDir = await mkdtemp(join(tmpdir(), "lakehelm-process-"));
  const database =
    engine === "postgres" ? await freshDatabase(`process_${randomUUID().replaceAll("-", "")}`) : undefined;
  t.after(async () => {
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

/** The real program as its own process; it ends with the test. */
export function spawnServer(
  t: TestContext,
  { dataDir, databaseUrl }: Home,
  settings: MoreSettings = {},
): ChildProcess {
  const child = spawn(process.execPath, [runner, program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      APPS_PORT: "0",
      PLATFORM_ENV: "production",
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_SERVICE_AUTH_TOKEN: token,
      DATABASE_URL: databaseUrl,
      ...settings,
    },
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

export async function startProcess(
  t: TestContext,
  home: Home,
  settings?: MoreSettings,
): Promise<ServerProcess> {
  const child = spawnServer(t, home, settings);
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
