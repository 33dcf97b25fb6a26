import { readFileSync } from "node:fs";
import type { EngineLimits } from "../protocol/limits.ts";

/** The parts of an engine's process that are watched. */
interface WatchedProcess {
  readonly pid: number | undefined;
  readonly hasResponded: boolean;
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

/** A start takes a second, and far longer on a machine that is busy. */
export const startMs = 60_000;
const sampleMs = 100;
/** A query fills memory at a few gigabytes a second, so a process near its limit is read more often. */
const closeSampleMs = 10;
const closeShare = 0.6;
const pingMs = 1_000;
/** Runs that move data may exceed their limit for a moment: an import from S3 took 1,043 of 1,024 MB. */
const toleranceMb = 32;

/**
 * Watches the engine's process from outside, where it cannot be slowed down by what it watches. DuckDB limits its own
 * memory and time, but not everything that a query needs counts as its memory, and not every function can be interrupted.
 */
export function watchProcess(process: WatchedProcess, { processMb, silenceMs }: EngineLimits): ProcessWatch {
  const mostMb = Math.round(processMb + Math.min(toleranceMb, processMb / 4));
  let timer: NodeJS.Timeout | undefined;
  let sincePingMs = 0;
  /**
   * How often an answer was still missing. Not measured by the clock, which also runs while this process is suspended.
   */
  let missed: number | undefined;

  const check = (bytes: number) => {
    if (bytes > mostMb * 1024 * 1024)
      process.end("memory", `used more than ${mostMb} MB of memory and was ended`);
  };
  const ping = () => {
    if (missed !== undefined) {
      missed += 1;
      const mostMs = process.hasResponded ? silenceMs : Math.max(silenceMs, startMs);
      if (missed * pingMs > mostMs)
        process.end("silence", `did not react for ${mostMs / 1000} s and was ended`);
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
  const look = (delayMs: number) => {
    const bytes = residentBytes(process.pid) ?? 0;
    check(bytes);
    sincePingMs += delayMs;
    if (sincePingMs >= pingMs) {
      sincePingMs = 0;
      ping();
    }
    lookIn(bytes > mostMb * 1024 * 1024 * closeShare ? closeSampleMs : sampleMs);
  };
  const lookIn = (delayMs: number) => {
    timer = setTimeout(look, delayMs, delayMs).unref();
  };
  return {
    resume() {
      if (!timer) lookIn(sampleMs);
    },
    pause() {
      clearTimeout(timer);
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
