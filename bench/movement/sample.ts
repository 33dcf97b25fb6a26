import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The peak memory of a process so far, in megabytes. */
export function peakMb(pid: number | "self"): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The time of one measurement, and the peak memory of its processes. */
export interface Sample {
  readonly ms: number;
  readonly peakMb: number;
}

/** Sends the sample to the parent process. */
export function reportSample(ms: number): void {
  process.stdout.write(`${JSON.stringify({ ms, peakMb: peakMb("self") } satisfies Sample)}\n`);
}

/** Runs a script of this folder and returns its sample. */
export async function run(script: string, ...words: readonly string[]): Promise<Sample> {
  const child: ChildProcess = spawn(process.execPath, ["run.js", join("bench/movement", script), ...words], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${script} ${words[0]} exited with ${code}.`);
  return JSON.parse(output) as Sample;
}
