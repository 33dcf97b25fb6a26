import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { definitionProblems } from "./definition.ts";

const problemsOf = (tasks: readonly object[], schedule?: object) =>
  definitionProblems(AutomationDefinition.check({ tasks, ...(schedule && { schedule }) }, [], []));
const sql = (name: string, ...depends_on: string[]) => ({ name, kind: "sql", query: "select 1", depends_on });

test("tasks have names of their own", () => {
  assert.deepEqual(problemsOf([sql("a"), sql("b"), sql("a"), sql("a")]), ['Two tasks are named "a".']);
});

test("tasks depend on tasks that are there, and never in a circle", () => {
  assert.deepEqual(problemsOf([sql("a", "b"), sql("b", "c"), sql("c")]), []);
  assert.deepEqual(problemsOf([sql("a", "z")]), [
    'Task "a" depends on "z", which is no task of this automation.',
  ]);
  assert.deepEqual(problemsOf([sql("a", "a")]), ['Tasks wait for each other: "a" → "a".']);
  assert.deepEqual(
    problemsOf([sql("x", "a"), sql("a", "c", "free"), sql("b", "a"), sql("c", "b"), sql("free")]),
    ['Tasks wait for each other: "a" → "c" → "b" → "a".'],
  );
});

test("a long chain of tasks is no problem", () => {
  const chain = Array.from({ length: 1000 }, (_, n) => sql(`t${n}`, ...(n ? [`t${n - 1}`] : [])));
  assert.deepEqual(problemsOf(chain), []);
});

test("each kind of task says what it needs", () => {
  const bare = (kind: string) => problemsOf([{ name: "t", kind }]);
  assert.deepEqual(bare("sql"), ['Task "t" is of kind sql and needs a query.']);
  assert.deepEqual(bare("http"), ['Task "t" is of kind http and needs an http(s) url.']);
  for (const kind of ["flow", "connector", "pipeline", "agent"]) {
    assert.deepEqual(bare(kind), [`Task "t" is of kind ${kind} and needs a reference: the ${kind}'s name.`]);
  }
  assert.equal(problemsOf([{ name: "t", kind: "http", url: "javascript:alert(1)" }]).length, 1);
});

test("a schedule's cron parses and its time zone is known", () => {
  assert.deepEqual(problemsOf([], { cron: "*/5 * * * * *", timezone: null }), []);
  assert.deepEqual(problemsOf([], { cron: "61 * * * *", timezone: "Mars/Base" }), [
    'The schedule\'s cron expression "61 * * * *" does not parse.',
    'The time zone "Mars/Base" is not known.',
  ]);
});

test("a definition that would take too long to print is refused", () => {
  const wide = [{ ...sql("a"), parameters: { list: Array.from({ length: 10_001 }, () => 1) } }];
  assert.deepEqual(problemsOf(wide), ["The definition has more than 10000 values."]);
  let deep: unknown = 1;
  for (let n = 0; n < 40; n++) deep = [deep];
  assert.deepEqual(problemsOf([{ ...sql("a"), parameters: { deep } }]), [
    "The definition is nested deeper than 32 levels.",
  ]);
});
