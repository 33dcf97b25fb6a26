/**
 * The number of random cases that a property test tries: all of them with `npm run test:nightly`, otherwise a fifth.
 * Each run has its own seed, which a failure prints.
 */
export const randomCases = (nightly: number): number =>
  process.env.TEST_NIGHTLY === undefined ? Math.ceil(nightly / 5) : nightly;
