/** Time, ids and randomness as one argument, so that rules and their tests are exact. */
export interface Nature {
  now(): Date;
  newId(): string;
  randomBytes(size: number): Buffer;
}

/** Draws randomness by the kilobytes: a call for 12 bytes costs as much as one for 4,096. */
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
 * UUIDv7 that never runs backwards within this process: 48 bits of milliseconds, then a 12-bit counter
 * (RFC 9562, method 1), so that ids made in one millisecond, or after the clock was set back, still sort
 * in the order they were made.
 */
export function uuidV7(now: () => number, randomBytes: (size: number) => Buffer): () => string {
  let last = 0;
  let counter = 0;

  return () => {
    const time = now();
    if (time > last) {
      last = time;
      counter = 0;
    } else if (++counter > 0xfff) {
      last += 1;
      counter = 0;
    }
    const head = last.toString(16).padStart(12, "0");
    const random = randomBytes(8);
    random[0] = ((random[0] as number) & 0x3f) | 0x80;
    const tail = random.toString("hex");
    const count = counter.toString(16).padStart(3, "0");
    return `${head.slice(0, 8)}-${head.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
