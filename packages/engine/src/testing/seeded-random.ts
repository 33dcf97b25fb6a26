/** Chance that comes again with its seed. */
export interface SeededRandom {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<One>(from: readonly One[]): One;
  shuffled<One>(all: readonly One[]): One[];
}

/** Marsaglia's xorshift with 32 bits: plenty for choosing among a few things. */
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

/** The same words give the same number: each test has a chance of its own, whichever runs first. */
export const seedOf = (words: string): number =>
  [...words].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
