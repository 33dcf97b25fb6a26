/** Whether `npm run test:nightly` runs the tests. It includes slow tests of parts that rarely break. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined;

/** The option of a test that runs only at night. */
export const onlyNightly = { skip: isNightly ? false : "only in npm run test:nightly" };

/**
 * A sample of `count` cases, evenly distributed and including the last one; in the nightly run all cases, or `atNight`
 * of them.
 */
export function someOf<Case>(all: readonly Case[], count: number, atNight = all.length): readonly Case[] {
  const most = isNightly ? atNight : count;
  if (most >= all.length) return all;
  return Array.from({ length: most }, (_, n) => all[Math.ceil(((n + 1) * all.length) / most) - 1] as Case);
}
