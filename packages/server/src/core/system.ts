import { randomBytes } from "node:crypto";
import type { ChangeContext } from "./store/change.ts";

/** Clock, id generator and randomness are dependencies, so that rules and their tests are deterministic. */
export interface System {
  now(): Date;
  /** Milliseconds since an arbitrary moment, by a clock that is never set back. */
  monotonicMs(): number;
  newId(): string;
  randomBytes(size: number): Buffer;
}

/** The clock of the machine, UUIDv7 as ids, and its random bytes. */
export function createSystem(): System {
  const random = pooledRandom(randomBytes);
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    newId: uuidV7(Date.now, random),
    randomBytes: random,
  };
}

/** A number from 0 up to 1, without 1. */
export const randomFraction = ({ randomBytes }: Pick<System, "randomBytes">): number =>
  randomBytes(4).readUInt32LE() / 2 ** 32;

/** Makes contexts of one actor. A rule that has already read the clock passes the time. */
const contextOf =
  (actor: string) =>
  (clock: Pick<System, "now"> | Date): ChangeContext => ({
    actor,
    requestId: null,
    time: (clock instanceof Date ? clock : clock.now()).toISOString(),
  });

/**
 * The actors of changes that no user makes: the server itself, its scheduler, its runs, its platforms, the service token,
 * and unauthenticated callers. No user may have such a name.
 */
export const systemActors = [
  "lakehelm",
  "scheduler",
  "worker",
  "platform",
  "internal-service",
  "anonymous",
  "system",
] as const;

/** The context of a change without events: this context is never stored. */
export const unrecorded: ChangeContext = { actor: "lakehelm", requestId: null, time: "" };

/** The context of a change that the server makes by itself. */
export const serverContext = contextOf("lakehelm");

/** The context of a change that the scheduler makes. */
export const schedulerContext = contextOf("scheduler");

/** The context of a change that the work of a run makes. */
export const workerContext = contextOf("worker");

/** The context of a change that records what a platform answered. */
export const platformContext = contextOf("platform");

/** Reads random bytes in blocks: a call for 12 bytes costs as much as one for 4,096. */
export function pooledRandom(randomBytes: (size: number) => Buffer): (size: number) => Buffer {
  let pool: Buffer = Buffer.alloc(0);
  return (size) => {
    if (size > 256) return randomBytes(size);
    if (pool.length < size) pool = randomBytes(4096);
    const drawn = pool.subarray(0, size);
    pool = pool.subarray(size);
    return drawn;
  };
}

/**
 * UUIDv7 that is monotonic within this process: 48 bits of milliseconds, then a 12-bit counter
 * (RFC 9562, method 1), so that ids made in one millisecond, or after the clock was set back, still sort
 * in the order they were made.
 */
export function uuidV7(now: () => number, randomBytes: (size: number) => Buffer): () => string {
  let last = 0;
  let counter = 0;
  let head = "";
  let random = "";
  let used = 0;

  /** Formatting the time costs more than the rest of an id, so it is done once per millisecond. */
  function begin(time: number): void {
    last = time;
    counter = 0;
    const digits = time.toString(16).padStart(12, "0");
    head = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  }

  return () => {
    const time = now();
    if (time > last) begin(time);
    else if (++counter > 0xfff) begin(last + 1);
    if (used + 16 > random.length) {
      random = randomBytes(1024).toString("hex");
      used = 0;
    }
    const variant = "89ab"[random.charCodeAt(used) & 3];
    const tail = `${variant}${random.slice(used + 1, used + 4)}-${random.slice(used + 4, used + 16)}`;
    used += 16;
    return `${head}${counter.toString(16).padStart(3, "0")}-${tail}`;
  };
}
