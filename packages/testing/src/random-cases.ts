/**
 * Random cases for property tests. `npm test` tries a fifth of the cases, always the same ones, so that a failure is
 * caused by the change. `npm run test:nightly` tries all of them with a new seed, which a failure prints.
 */
import fc, { configureGlobal } from "fast-check";
import { isNightly } from "./nightly.ts";

if (!isNightly) configureGlobal({ seed: 20_261_116 });

export { default, type GeneratorValue } from "fast-check";

/** The number of cases to try, given the number for the nightly run. */
export const randomCases = (nightly: number): number => (isNightly ? nightly : Math.ceil(nightly / 5));

const [surrogates, surrogateCount] = [0xd800, 0x800];

/**
 * Any character, as the unit of a string. fast-check's own `binary` unit takes seconds to build a map of all
 * characters.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogateCount }).map(
  (n) => String.fromCodePoint(n < surrogates ? n : n + surrogateCount),
  (character) => {
    const [n, more] = Array.from(String(character), (one) => one.codePointAt(0) as number);
    if (n === undefined || more !== undefined) throw new Error("This is not one character.");
    return n < surrogates ? n : n - surrogateCount;
  },
);
