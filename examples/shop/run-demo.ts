/** Runs the demo for tests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";

const runner = resolve(import.meta.dirname, "../../run.js");
const program = resolve(import.meta.dirname, "demo.ts");

export async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-shop-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function runDemo(t: TestContext, folder: string, ...options: string[]) {
  const child = spawn(process.execPath, [runner, program, "--folder", folder, "--port", "0", ...options]);
  t.after(() => child.kill("SIGKILL"));
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.on("data", (chunk) => stdout.push(String(chunk)));
  child.stderr.on("data", (chunk) => stderr.push(String(chunk)));
  // "close" comes after all pipes are closed, so the child processes have ended, too.
  const [code] = await once(child, "close");
  return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}
