import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@lakehelm/contract/client";
import { Failure } from "../failure.ts";
import type { Io } from "../io.ts";
import { serverProgram } from "./server-program.ts";

/** A server with an embedded database, in its own process. */
export interface DevServer {
  readonly url: string;
  readonly tokenFile: string;
  /** Signs an admin in to the console, once. Undefined if the settings do not allow it. */
  readonly consoleLink: string | undefined;
  readonly client: Client;
  /** Resolves when the process ends, with or without `stop`. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A machine that is busy with other things takes minutes. */
const longestStartMs = 300_000;

/** Starts a server whose data is in the project, and which may read the files of the project. Without a port it takes a free one. */
export async function startDevServer(
  { signal }: Io,
  folder: string,
  port: number | undefined,
): Promise<DevServer> {
  const data = join(folder, ".lakehelm/data");
  await mkdir(data, { recursive: true });
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const child = spawn(process.execPath, [serverProgram()], {
    env: {
      PATH,
      HOME,
      ...(TMPDIR !== undefined && { TMPDIR }),
      APPS_PORT: "0",
      PLATFORM_LOG_LEVEL: "error",
      ...settingsOf(process.env),
      PORT: String(port ?? 0),
      PLATFORM_DATA_DIR: data,
      PLATFORM_CONNECTOR_FOLDERS: [folder, process.env.PLATFORM_CONNECTOR_FOLDERS].filter(Boolean).join(","),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let greeting: Greeting | undefined;
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    greeting ??= readGreeting(`${printed}${chunk}`);
    printed = `${printed}${chunk}`.slice(-4000);
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
    const { url, consoleLink } = await ready(() => greeting, child, signal);
    const token = (await readFile(tokenFile, "utf8")).trim();
    return { url, tokenFile, consoleLink, ended, stop, client: createClient({ baseUrl: url, token }) };
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

interface Greeting {
  readonly url: string;
  readonly consoleLink: string | undefined;
}

/** What the server prints once it listens says where: the port that it was given may be in use. */
function readGreeting(text: string): Greeting | undefined {
  const [, url, rest = ""] = /^ {2}Lakehelm +(http:\S+)([\s\S]*)\n {2}Try it:/m.exec(text) ?? [];
  return url === undefined
    ? undefined
    : { url, consoleLink: /^ {2}(http:\S+\/console\/#\S+)$/m.exec(rest)?.[1] };
}

async function ready(
  greeting: () => Greeting | undefined,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<Greeting> {
  for (const until = performance.now() + longestStartMs; performance.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Failure("The server ended before it was ready.");
    const greeted = greeting();
    const answer = greeted && (await fetch(`${greeted.url}/health`, { signal }).catch(() => undefined));
    if (greeted && answer?.ok) return greeted;
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
