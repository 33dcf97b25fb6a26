import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@lakehelm/contract/client";

const runner = fileURLToPath(new URL("../run.js", import.meta.url));
const program = fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url));
const token = "soak_Wd3kQz8mXv1LpT6cYh9R";

/** The real server as a child process with one data folder. It can be killed and started repeatedly. */
export interface SoakServer {
  readonly client: Client;
  start(): Promise<void>;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the server with SIGTERM, as an operator does. */
  stop(): Promise<void>;
}

export function createSoakServer(dataDir: string, port: number): SoakServer {
  let child: ChildProcess | undefined;
  const baseUrl = `http://127.0.0.1:${port}`;

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const last = child;
    child = undefined;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const exit = once(last, "exit");
    last.kill(signal);
    await exit;
  }

  return {
    client: createClient({ baseUrl, token, retries: 5 }),
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
          PLATFORM_RATE_LIMIT_PER_MINUTE: "0",
        },
      });
      child = started;
      const exit = once(started, "exit").then(([code]) => {
        throw new Error(`The server exited with code ${code} before it listened.`);
      });
      await Promise.race([listening(started), exit]);
      exit.catch(() => {});
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

function listening({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error("The server has no output.");
  return new Promise((resolve) => {
    createInterface(stdout).on("line", (line) => {
      const { msg, level } = JSON.parse(line) as { msg: string; level: number };
      if (msg === "listening") resolve();
      // Kills cause warnings but should cause no errors, so errors are printed.
      if (level >= 50) console.error(line);
    });
  });
}
