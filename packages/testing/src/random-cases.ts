/**
 * Random cases for property tests. `npm test` tries a fifth of the cases, the same ones each time, so that a change fails only
 * for what it changed. `npm run test:nightly` tries all of them with a new seed, which a failure prints.
 */
import { configureGlobal } from "fast-check";
import { isNightly } from "./nightly.ts";

if (!isNightly) configureGlobal({ seed: 20_261_116 });

export { default } from "fast-check";

/** The number of cases to try, given the number of the nightly run. */
export const randomCases = (nightly: number): number => (isNightly ? nightly : Math.ceil(nightly / 5));
