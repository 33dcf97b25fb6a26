/** Which functions of the vocabulary are compared with Spark, and which are refused: every one is in one of these lists. */
import { functionFamilies } from "@lakehelm/sql";
import { builtInFunctions, typeWords } from "@lakehelm/sql/testing";
import { refusedFunctions } from "../src/warehouse/queries/refused-functions.ts";
import { cases, functionsIn, readResults } from "./cases.ts";
import { generatedCalls, keyOf, readAnswers } from "./generated-cases.ts";
import { isRefusedForAll } from "./known-verdicts.ts";

const answers = readAnswers();
const results = new Set(readResults().map(({ sql }) => sql));
const recorded = generatedCalls.filter((call) => answers.has(keyOf(call)));
const generated = new Set(recorded.flatMap(({ expression }) => functionsIn(expression)));
/** Functions with at least one call that has a value here. */
const compared = new Set(
  recorded
    .filter((call) => !isRefusedForAll(keyOf(call)))
    .flatMap(({ expression }) => functionsIn(expression)),
);
const written = new Set(
  cases.filter(({ sparkSql }) => results.has(sparkSql)).flatMap(({ text }) => functionsIn(text)),
);
/** Functions whose result differs each time. */
const momentary = new Set(
  "curdate current_date current_timestamp getdate localtimestamp now rand random uuid".split(" "),
);
/** Words with parentheses that are not functions. */
const grammar = new Set([...typeWords, "cast", "cube", "rollup"].map((word) => word.toLowerCase()));

/** Called like functions in the cases: a predicate, and functions in FROM. */
const otherWords = new Set(["ilike", "range"]);

const listOf = (isIn: (name: string) => boolean): readonly string[] =>
  [...builtInFunctions].filter(isIn).sort();
const isCalled = (name: string): boolean => !refusedFunctions.has(name);

/** By what docs/reference/sql.md says of them. */
export const functionLists: Readonly<Record<string, readonly string[]>> = {
  "With generated calls": listOf((name) => isCalled(name) && compared.has(name)),
  "Refused with the arguments that are generated": listOf(
    (name) => isCalled(name) && generated.has(name) && !compared.has(name),
  ),
  "Only with the expressions above": listOf(
    (name) => isCalled(name) && !generated.has(name) && !momentary.has(name) && written.has(name),
  ),
  "Another answer each time, so not compared": listOf((name) => momentary.has(name)),
  "Refused, as are `h3_…`, `st_…`, `bitmap_…` and sketches": listOf((name) => refusedFunctions.has(name)),
};

/** Functions that are in a list but not in the vocabulary, and the other way round. */
export function listProblems(): readonly string[] {
  const listed = new Set([...Object.values(functionLists).flat(), ...grammar]);
  return [
    ...[...builtInFunctions]
      .filter((name) => !listed.has(name) && !functionFamilies.test(name))
      .map((name) => `${name}() has no generated calls in functions.sql, and is not refused`),
    ...[...generated, ...written, ...momentary, ...refusedFunctions]
      .filter((name) => !builtInFunctions.has(name) && !otherWords.has(name))
      .map((name) => `${name}() is not in the vocabulary`),
  ];
}
