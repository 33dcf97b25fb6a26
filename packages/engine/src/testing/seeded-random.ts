/** A random generator that repeats with its seed. */
export interface SeededRandom {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<One>(from: readonly One[]): One;
  shuffled<One>(all: readonly One[]): One[];
}

/** Marsaglia's 32-bit xorshift, which is good enough for choices among a few values. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0 || 1;
  const below = (limit: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    shuffled(all) {
      const rest = [...all];
      return all.map(() => rest.splice(below(rest.length), 1)[0] as (typeof all)[number]);
    },
  };
}

/** The seed of a test is a hash of its name, so it does not depend on the order of the tests. */
export const seedOf = (words: string): number =>
  [...words].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
