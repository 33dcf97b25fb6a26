/** Whether the tests run by `npm run test:nightly`, which tries what takes long and rarely breaks. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined;

/** The option of a test that runs only at night. */
export const onlyNightly = { skip: isNightly ? false : "only in npm run test:nightly" };

/** This many, evenly distributed, with the last one; at night all of them, or as many as `atNight` says. */
export function someOf<Case>(all: readonly Case[], count: number, atNight = all.length): readonly Case[] {
  const most = isNightly ? atNight : count;
  if (most >= all.length) return all;
  return Array.from({ length: most }, (_, n) => all[Math.ceil(((n + 1) * all.length) / most) - 1] as Case);
}
