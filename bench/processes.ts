import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
export const token = "bench_Rk7wQz2mXv9LpT4cYh8N";

export interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  stop(): Promise<void>;
}

/** The running servers. */
const children = new Set<ChildProcess>();

const others = new Set<() => number>();

/** Counts the processor time of a process that we started as ours. Returns a function that stops counting. */
export function countAsOurs(seconds: () => number): () => void {
  others.add(seconds);
  return () => void others.delete(seconds);
}

/** Returns a function that stops the child. The child also stops when this process exits. */
export function stopper(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
  children.add(child);
  child.once("exit", () => children.delete(child));
  return () =>
    new Promise((done) => {
      process.off("exit", kill);
      child.once("exit", () => done());
      kill();
    });
}

export function startFloor(): Promise<Started> {
  const child = spawn(process.execPath, [join(root, "bench/floor-http.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = stopper(child);
  return new Promise((ready) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const port = /listening (\d+)/.exec(chunk.toString())?.[1];
      if (port) ready({ process: child, port: Number(port), stop });
    });
  });
}

/** Starts a server as `npm start` runs it, in its own folder. */
export async function startServer(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Started & { readonly startMs: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ["run.js", "packages/server/src/main.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      APPS_PORT: "0",
      PLATFORM_DATA_DIR: folder,
      PLATFORM_ENV: "production",
      PLATFORM_SERVICE_AUTH_TOKEN: token,
      PLATFORM_LOG_LEVEL: "warn",
      // Limits are enabled, as on every server, but never reached, because all load comes from one caller.
      PLATFORM_RATE_LIMIT_PER_MINUTE: String(2 ** 31 - 1),
      PLATFORM_RESOURCES_PER_ENVIRONMENT: String(2 ** 31 - 1),
      // A separate compile cache, so that the first start of a benchmark is a cold start.
      NODE_COMPILE_CACHE: join(folder, "../compile-cache"),
      ...settings,
    },
  });
  const stop = stopper(child);
  for (;;) {
    if (await answers(port)) break;
    if (child.exitCode !== null) throw new Error("The server did not start.");
  }
  return { process: child, port, stop, startMs: performance.now() - began };
}

/** Whether a request gets the status 200. Waits 2 ms if no server listens. */
export function answers(port: number, path = "/health"): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => setTimeout(done, 2, false));
    socket.on("connect", () => socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`));
    socket.on("data", (chunk) => {
      socket.destroy();
      done(chunk.toString().startsWith("HTTP/1.1 200"));
    });
  });
}

/** Resident memory in megabytes. */
export function residentMb({ process: { pid } }: Started): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}

/** The processor time of the process so far, in seconds. */
export const cpuSeconds = ({ process: { pid } }: Pick<Started, "process">): number => cpuSecondsOf(pid);

export function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Returns a function that returns the share of the machine's processor time that others have used since now: other
 * programs, and other virtual machines on the same hardware ("steal"). The set of servers must not change in between.
 */
export function watchProcessor(): () => number {
  const read = () => {
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
      readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/).slice(1).map(Number) ?? [];
    const { user: ownUser, system: ownSystem } = process.cpuUsage();
    const servers = [
      ...[...children].map((child) => cpuSeconds({ process: child })),
      ...[...others].map((seconds) => seconds()),
    ];
    const known = [(ownUser + ownSystem) / 1e6, ...servers].reduce((sum, seconds) => sum + seconds) * 100;
    return {
      all: user + nice + system + idle + iowait + irq + softirq + steal,
      outside: user + nice + system + steal - known,
    };
  };
  const before = read();
  return () => {
    const now = read();
    return Math.max(0, (now.outside - before.outside) / (now.all - before.all));
  };
}
