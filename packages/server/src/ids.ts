/** Time, ids and randomness as one argument, so that rules and their tests are exact. */
export interface Nature {
  now(): Date;
  newId(): string;
  randomBytes(size: number): Buffer;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * UUIDv7 that never runs backwards within this process: 48 bits of milliseconds, then a 12-bit counter
 * (RFC 9562, method 1), so that ids made in one millisecond, or after the clock was set back, still sort
 * in the order they were made.
 */
export function uuidV7(now: () => number, randomBytes: (size: number) => Uint8Array): () => string {
  let last = 0;
  let counter = 0;
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;

  return () => {
    const time = now();
    if (time > last) {
      last = time;
      counter = 0;
    } else if (++counter > 0xfff) {
      last += 1;
      counter = 0;
    }
    // Randomness is drawn by the kilobyte: a call for 8 bytes costs as much as one for 1,024.
    if (used + 8 > pool.length) {
      pool = randomBytes(1024);
      used = 0;
    }
    const r = (offset: number) => pool[used + offset] as number;
    const high = Math.floor(last / 2 ** 16)
      .toString(16)
      .padStart(8, "0");
    const low = (last % 2 ** 16).toString(16).padStart(4, "0");
    const count = counter.toString(16).padStart(3, "0");
    const id = `${high}-${low}-7${count}-${hex[(r(0) & 0x3f) | 0x80]}${hex[r(1)]}-${hex[r(2)]}${hex[r(3)]}${hex[r(4)]}${hex[r(5)]}${hex[r(6)]}${hex[r(7)]}`;
    used += 8;
    return id;
  };
}
