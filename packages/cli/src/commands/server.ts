import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverProgram } from "../dev/server-program.ts";
import { Exit } from "../failure.ts";
import { integerOf } from "../input/integer.ts";
import type { Io } from "../io.ts";

interface ServerOptions {
  readonly host?: string;
  readonly port?: string;
  readonly appsPort?: string;
  readonly dataDir?: string;
}

/** Starts a server for production. Its settings are variables of the process; options replace the usual ones. */
export async function startServer({ env, signal }: Io, options: ServerOptions): Promise<void> {
  const given = {
    HOST: options.host,
    PORT: integerOf("--port", options.port),
    APPS_PORT: integerOf("--apps-port", options.appsPort),
    PLATFORM_DATA_DIR: options.dataDir,
  };
  const variables: Record<string, string> = { PLATFORM_ENV: "production" };
  for (const [name, value] of [...Object.entries(env), ...Object.entries(given)])
    if (value !== undefined && value !== "") variables[name] = String(value);
  const args = [serverProgram()];
  // The server gets this process: a supervisor's signals reach it, and its exit code is that of the command.
  if (process.platform !== "win32")
    process.execve?.(process.execPath, [process.execPath, ...args], variables);
  const child = spawn(process.execPath, args, { env: variables, stdio: "inherit" });
  // On Windows Ctrl-C reaches the server as well, and a signal would end it at once.
  if (process.platform !== "win32") signal.addEventListener("abort", () => child.kill("SIGTERM"));
  const [code] = await once(child, "exit");
  throw new Exit(code ?? 1);
}
