import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@lakehelm/contract/client";
import { Failure } from "../failure.ts";
import type { Io } from "../io.ts";

/** A server with an embedded database, in its own process. */
export interface DevServer {
  readonly url: string;
  readonly tokenFile: string;
  readonly client: Client;
  /** Resolves when the process ends, with or without `stop`. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));
/** On a busy machine a start takes minutes. */
const longestStartMs = 300_000;

/** Starts a server that keeps its data in the project's folder and may read the files of the project. */
export async function startDevServer(
  { signal }: Io,
  folder: string,
  port: number | undefined,
): Promise<DevServer> {
  if (!existsSync(program))
    throw new Failure(
      "The server is not installed beside this command: run it in the workspace of Lakehelm.",
    );
  const data = join(folder, ".lakehelm/data");
  await mkdir(data, { recursive: true });
  // As for servers, 0 means any free port.
  const chosen = port || (await freePort());
  const url = `http://127.0.0.1:${chosen}`;
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const child = spawn(process.execPath, [program], {
    env: {
      PATH,
      HOME,
      ...(TMPDIR !== undefined && { TMPDIR }),
      APPS_PORT: "0",
      PLATFORM_LOG_LEVEL: "error",
      ...settingsOf(process.env),
      PORT: String(chosen),
      PLATFORM_DATA_DIR: data,
      PLATFORM_CONNECTOR_FOLDERS: [folder, process.env.PLATFORM_CONNECTOR_FOLDERS].filter(Boolean).join(","),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  const ended = once(child, "exit").then(() => {});
  // For exits without `stop`: for example, `| head` closes the output, which ends this process at once.
  const endWithUs = () => void child.kill("SIGTERM");
  process.once("exit", endWithUs);
  void ended.then(() => process.off("exit", endWithUs));
  const stop = () => stopped(child, ended);
  const tokenFile = join(data, "service-token");
  try {
    await ready(url, child, signal);
    const token = (await readFile(tokenFile, "utf8")).trim();
    return { url, tokenFile, ended, stop, client: createClient({ baseUrl: url, token }) };
  } catch (error) {
    await stop();
    throw error instanceof Failure ? new Failure(`${error.message}\n${said.trim()}`) : error;
  }
}

/** Settings that identify a server (its state and its credentials), or that it shares with other servers. */
const identity =
  /^PLATFORM_(ENV|DATA_DIR|ARCHIVE_DIR|BACKUP_DIR|SERVICE_AUTH_TOKEN|CLIENT_|JWT_|SECRET_KEY|WORKSPACE_URL|ADVERTISED_URL|APPS_URL|APPS_DOMAIN|AUDIT_|ADMIN_USERS|CONNECTOR_FOLDERS)/;

/** The settings in this process's environment, without those that identify another server. */
export function settingsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const isOurs = (name: string) => /^(PLATFORM_|APPS_PORT$)/.test(name) && !identity.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isOurs(name) ? [[name, value]] : [],
    ),
  );
}

async function ready(url: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + longestStartMs; performance.now() < until; ) {
    if (child.exitCode !== null) throw new Failure("The server ended before it was ready.");
    const answer = await fetch(`${url}/health`, { signal }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100, undefined, { signal });
  }
  throw new Failure("The server was not ready within five minutes.");
}

async function stopped(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, "127.0.0.1"), "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}
