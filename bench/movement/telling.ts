import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The most memory that a process has held so far, in megabytes. */
export function peakMb(pid: number | "self"): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** What something took, and the most memory that its processes held. */
export interface Told {
  readonly ms: number;
  readonly peakMb: number;
}

/** Said by a process of the benchmark to the one that started it. */
export function tell(ms: number): void {
  process.stdout.write(`${JSON.stringify({ ms, peakMb: peakMb("self") } satisfies Told)}\n`);
}

/** Runs a script of this folder and answers what it told. */
export async function run(script: string, ...words: readonly string[]): Promise<Told> {
  const child: ChildProcess = spawn(process.execPath, ["run.js", join("bench/movement", script), ...words], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${script} ${words[0]} ended with ${code}.`);
  return JSON.parse(said) as Told;
}
