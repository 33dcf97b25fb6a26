import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempt } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
import { designOfAttempt } from "./attempt-definition.ts";

const attempt = (more: object) =>
  Attempt.check(
    { attempt_id: "a", automation_alias: "x", created_at: "", updated_at: "", created_by: "", ...more },
    [],
    [],
  );
const definitionOfAttempt = async (one: Attempt) => (await designOfAttempt("x", one, "operator")).definition;
const file = (content: string, path = "definition.yaml") => ({ files: [{ path, content }] });

async function refusal(more: object): Promise<string> {
  try {
    await definitionOfAttempt(attempt(more));
  } catch (error) {
    assert.ok(error instanceof Problem && error.kind === "conflict");
    return error.message;
  }
  return "";
}

test("the definition of an attempt comes from its fields or from its definition file, with all defaults", async () => {
  const task = { name: "a", kind: "sql", query: "select 1" };
  const trigger = { continuous: true };
  const fields = await definitionOfAttempt(attempt({ tasks: [task], trigger, overlap: true }));
  assert.deepEqual([fields.trigger, fields.overlap, fields.tasks[0]?.retry_seconds], [trigger, true, 10]);
  const yaml =
    "# by hand\ntrigger: {continuous: true}\noverlap: true\ntasks:\n  - {name: a, kind: sql, query: select 1}\n";
  assert.deepEqual(await definitionOfAttempt(attempt(file(yaml))), fields);
  const json = JSON.stringify({ tasks: [task], trigger, overlap: true });
  assert.deepEqual(await definitionOfAttempt(attempt(file(json, "definition.json"))), fields);
});

test("an attempt that cannot be released is rejected with the reasons", async () => {
  assert.equal(
    await refusal(file("tasks: [")),
    'The attempt "a" cannot be released. definition.yaml:1:9: Flow sequence in block collection must be sufficiently indented and end with a ].',
  );
  assert.match(
    await refusal({ tasks: [{ name: "a" }] }),
    /released\. definition\.yaml:4:5: tasks\[0\]\.kind: Field required$/,
  );
  assert.match(
    await refusal({ ...file("tasks: []"), tasks: [{}] }),
    /"definition\.yaml" is the definition: leave out tasks\./,
  );
  const masked = { name: "a", kind: "sql", query: "select 1", parameters: { password: "********" } };
  assert.match(await refusal({ tasks: [masked] }), /parameters\.password: A secret must be a reference/);
});

test("a definition that fails validation by itself cannot be released", async () => {
  const valid = { name: "a", kind: "sql", query: "select 1" };
  assert.match(
    await refusal({ tasks: [{ ...valid, depend_on: [] }] }),
    /tasks\[0\]\.depend_on: The key is not known\./,
  );
  assert.match(
    await refusal({ tasks: [valid], scheduel: {} }),
    /scheduel: The key is not known\. Did you mean schedule\?/,
  );
  assert.match(await refusal({ tasks: [valid, valid] }), /Two tasks are named "a"\./);
  assert.match(
    await refusal(file("schedule: {cron: 0 6 1 * 1}\ntasks: [{name: a, kind: sql, query: select 1}]")),
    /definition\.yaml:1:18: The cron expression "0 6 1 \* 1" restricts/,
  );
  assert.equal(await refusal({ tasks: [valid], overlap: false, timeout_seconds: null }), "");
});
