/**
 * Records Spark's results of the calls in functions.sql that have no result yet, or of all of them, with the Python of
 * an environment that has pyspark: `node packages/engine/spark/record-functions.ts .venv/bin/python --all`. All calls
 * take ten minutes.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  aggregatedSets,
  answersFile,
  type GeneratedCall,
  generatedCalls,
  headerOf,
  keyOf,
  queryOfAggregate,
  readAnswers,
  sparkVersion,
} from "./generated-cases.ts";

const [, , python = "python3", all] = process.argv;
const kept = all === "--all" ? new Map() : readAnswers();
const asked = generatedCalls.filter((call) => !kept.has(keyOf(call)));
const child = spawn(python, [fileURLToPath(new URL("record_functions.py", import.meta.url))], {
  stdio: ["pipe", "pipe", "inherit"],
  env: { ...process.env, TZ: "UTC" },
});

/** How many expressions are in a query. If Spark refuses one of them, each half is asked for. */
const atOnce = 16;

const sent: string[] = [];
const send = (request: object): void => void child.stdin.write(`${JSON.stringify(request)}\n`);
const numbered = (call: GeneratedCall): number => sent.push(keyOf(call)) - 1;

for (const [kinds, calls] of Map.groupBy(
  asked.filter(({ isAggregate }) => !isAggregate),
  (call) => call.kinds,
)) {
  const rows = (calls[0]?.rows ?? []).map((row, at) => `(${[at, ...row].join(", ")})`);
  const columns = ["n", "a", "b", "c"].slice(0, kinds === "" ? 1 : 1 + kinds.split(",").length).join(", ");
  for (let at = 0; at < calls.length; at += atOnce) {
    const some = calls.slice(at, at + atOnce);
    send({ rows, columns, calls: some.map((call) => ({ id: numbered(call), expression: call.expression })) });
  }
}
for (const call of asked.filter(({ isAggregate }) => isAggregate))
  for (const set of aggregatedSets(call.rows))
    send({ id: numbered(call), query: queryOfAggregate(call.expression, call.rows, set) });
child.stdin.end();

const answers = new Map<string, { type: string | null; values: unknown[] }>();
for await (const line of createInterface({ input: child.stdout })) {
  const { version, id, type, values } = JSON.parse(line);
  if (version !== undefined) {
    if (version !== sparkVersion)
      throw new Error(`The answers are those of Spark ${sparkVersion}. This is Spark ${version}.`);
    continue;
  }
  const key = sent[id] ?? "";
  const answer = answers.get(key) ?? { type: null, values: [] };
  answers.set(key, answer);
  answer.type ??= type;
  answer.values.push(...values);
  if (id % 100 === 0) save();
}
save();

function save(): void {
  const lines = generatedCalls.flatMap((call) => {
    const answer = answers.get(keyOf(call));
    if (!answer) return kept.has(keyOf(call)) ? [kept.get(keyOf(call))] : [];
    const [first] = answer.values;
    const isRefused =
      answer.type === null && answer.values.every((value) => JSON.stringify(value) === JSON.stringify(first));
    return [[call.expression, call.kinds, answer.type, isRefused ? [first] : answer.values]];
  });
  const texts = [headerOf(sparkVersion), ...lines.map((line) => JSON.stringify(line))];
  writeFileSync(answersFile, texts.map((text) => `${text}\n`).join(""));
}
