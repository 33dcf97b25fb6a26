import { readFileSync } from "node:fs";
import type { EngineLimits } from "../protocol/limits.ts";

/** What is watched of an engine's process. */
interface WatchedProcess {
  readonly pid: number | undefined;
  /** Resident memory in bytes, as the process reports it. */
  memory(): Promise<number>;
  /** Ends the process. `how` completes the sentence "The engine process …". */
  end(cause: "memory" | "silence", how: string): void;
}

interface ProcessWatch {
  /** Watches while there are requests. */
  resume(): void;
  pause(): void;
}

/** A query fills memory at a few gigabytes a second. */
const sampleMs = 100;
const samplesPerPing = 10;
const pingMs = sampleMs * samplesPerPing;

/**
 * Watches the engine's process from outside, where it cannot be slowed down by what it watches. DuckDB limits its own
 * memory and time, but not everything that a query needs counts as its memory, and not every function can be interrupted.
 */
export function watchProcess(process: WatchedProcess, { processMb, silenceMs }: EngineLimits): ProcessWatch {
  const mostMb = Math.round(processMb * 1.25);
  let timer: NodeJS.Timeout | undefined;
  let sample = 0;
  /** Times that an answer was still missing. Not measured by the clock, which also runs while this process is suspended. */
  let missed: number | undefined;

  const check = (bytes: number) => {
    if (bytes > mostMb * 1024 * 1024)
      process.end("memory", `used more than ${mostMb} MB of memory and was ended`);
  };
  const ping = () => {
    if (missed !== undefined) {
      missed += 1;
      if (missed * pingMs > silenceMs)
        process.end("silence", `did not react for ${silenceMs / 1000} s and was ended`);
      return;
    }
    missed = 0;
    process.memory().then(
      (bytes) => {
        missed = undefined;
        check(bytes);
      },
      // The process has ended.
      () => {},
    );
  };
  const look = () => {
    const bytes = residentBytes(process.pid);
    if (bytes !== undefined) check(bytes);
    sample += 1;
    if (sample % samplesPerPing === 0) ping();
  };
  return {
    resume() {
      timer ??= setInterval(look, sampleMs).unref();
    },
    pause() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Resident memory of a process; undefined if this system does not show it in a file. */
function residentBytes(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
