/** Whether the tests run by `npm run test:nightly`, which tries what takes long and rarely breaks. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined;

/** The option of a test that runs only at night. */
export const onlyNightly = { skip: isNightly ? false : "only in npm run test:nightly" };

/** At night all of them; otherwise this many, evenly distributed, with the last one. */
export const someOf = <Case>(all: readonly Case[], count: number): readonly Case[] =>
  isNightly || count >= all.length
    ? all
    : Array.from({ length: count }, (_, n) => all[Math.ceil(((n + 1) * all.length) / count) - 1] as Case);
