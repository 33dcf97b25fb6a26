import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@lakehelm/contract/client";

const runner = fileURLToPath(new URL("../run.js", import.meta.url));
const program = fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url));
const token = "soak-service-token";

/** The real program as a process of its own, on one data folder: killed and started again as often as one likes. */
export interface Lakehelm {
  readonly client: Client;
  readonly pid: number | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** As an operator stops it. */
  stop(): Promise<void>;
}

export function lakehelmOn(dataDir: string, port: number): Lakehelm {
  let child: ChildProcess | undefined;
  const baseUrl = `http://127.0.0.1:${port}`;

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const last = child;
    child = undefined;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const ended = once(last, "exit");
    last.kill(signal);
    await ended;
  }

  return {
    client: createClient({ baseUrl, token, retries: 5 }),
    get pid() {
      return child?.pid;
    },
    async start() {
      const started = spawn(process.execPath, [runner, program], {
        stdio: ["ignore", "pipe", "inherit"],
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          APPS_PORT: "0",
          PLATFORM_ENV: "production",
          PLATFORM_DATA_DIR: dataDir,
          PLATFORM_SERVICE_AUTH_TOKEN: token,
          PLATFORM_RUNS_KEPT: "10000",
          PLATFORM_LOG_LEVEL: "info",
        },
      });
      child = started;
      const ended = once(started, "exit").then(([code]) => {
        throw new Error(`the server ended with ${code} before it served`);
      });
      await Promise.race([listening(started), ended]);
      ended.catch(() => {});
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

function listening({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error("the server has no output");
  return new Promise((resolve) => {
    createInterface(stdout).on("line", (line) => {
      const { msg, level } = JSON.parse(line) as { msg: string; level: number };
      if (msg === "listening") resolve();
      // What it complains of is worth seeing: warnings come with kills, errors should not.
      if (level >= 50) console.error(line);
    });
  });
}
