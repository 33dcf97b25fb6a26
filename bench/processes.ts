import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
export const token = "bench-token";

export interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  stop(): Promise<void>;
}

/** Returns a function that stops the child. The child also stops when this process exits. */
export function stopper(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
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

/** The server as `npm start` runs it, in its own folder. */
export async function startServer(
  folder: string,
  port: number,
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
      // A separate cache, so that the first start of a run is a cold one.
      NODE_COMPILE_CACHE: join(folder, "../compile-cache"),
    },
  });
  const stop = stopper(child);
  for (;;) {
    if (await answers(port)) break;
    if (child.exitCode !== null) throw new Error("The server did not start.");
  }
  return { process: child, port, stop, startMs: performance.now() - began };
}

/** Whether a request is answered with 200. Waits 2 ms if nothing listens. */
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

/** Seconds of processor time so far. */
export function cpuSeconds({ process: { pid } }: Started): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
