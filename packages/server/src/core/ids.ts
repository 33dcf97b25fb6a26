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
