/** The peer in Python: bench/peer/server.py in its own virtual environment. */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { answers, type Started, stopper } from "./processes.ts";

const run = promisify(execFile);
const venv = resolve(import.meta.dirname, "../.venv/bench-peer");
const python = join(venv, "bin/python");

/** Installs the peer once. Returns false, with a message, if Python or the packages are not available. */
export async function installPeer(): Promise<boolean> {
  const requirements = join(import.meta.dirname, "peer/requirements.txt");
  try {
    if (!existsSync(python)) await run("python3", ["-m", "venv", venv]);
    await run(python, ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
    return true;
  } catch (error) {
    console.log(
      `The peer is not measured: it needs Python 3.10 or newer with pip. ${(error as Error).message.split("\n")[0]}`,
    );
    return false;
  }
}

/** Starts the peer on a new database with `size` connectors and finished deployments. */
export async function startPeer(folder: string, port: number, size: number): Promise<Started> {
  const script = join(import.meta.dirname, "peer/server.py");
  const child = spawn(python, [script, join(folder, `peer-${size}.db`), String(port), String(size)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = stopper(child);
  while (!(await answers(port, "/openapi.json"))) {
    if (child.exitCode !== null) throw new Error("The peer did not start.");
  }
  return { process: child, port, stop };
}
