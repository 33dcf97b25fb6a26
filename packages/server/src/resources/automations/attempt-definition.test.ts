import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempt } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
import { definitionOfAttempt } from "./attempt-definition.ts";

const attempt = (more: object) =>
  Attempt.check(
    { attempt_id: "a", automation_alias: "x", created_at: "", updated_at: "", created_by: "", ...more },
    [],
    [],
  );
const file = (content: string, path = "definition.yaml") => ({ files: [{ path, content }] });

function refusal(more: object): string {
  try {
    definitionOfAttempt(attempt(more));
  } catch (error) {
    assert.ok(error instanceof Problem && error.kind === "conflict");
    return error.message;
  }
  return "";
}

test("the definition of an attempt comes from its fields or from its definition file, with all defaults", () => {
  const task = { name: "a", kind: "sql", query: "select 1" };
  const trigger = { continuous: true };
  const fields = definitionOfAttempt(attempt({ tasks: [task], trigger, overlap: true }));
  assert.deepEqual([fields.trigger, fields.overlap, fields.tasks[0]?.retry_seconds], [trigger, true, 10]);
  const yaml =
    "# by hand\ntrigger: {continuous: true}\noverlap: true\ntasks:\n  - {name: a, kind: sql, query: select 1}\n";
  assert.deepEqual(definitionOfAttempt(attempt(file(yaml))), fields);
  const json = JSON.stringify({ tasks: [task], trigger, overlap: true });
  assert.deepEqual(definitionOfAttempt(attempt(file(json, "definition.json"))), fields);
});

test("an attempt that cannot be released is rejected with the reasons", () => {
  assert.equal(
    refusal(file("tasks: [")),
    'The attempt "a" cannot be released. definition.yaml:1:9: Flow sequence in block collection must be sufficiently indented and end with a ].',
  );
  assert.match(
    refusal({ tasks: [{ name: "a" }] }),
    /released\. definition\.yaml:4:5: tasks\[0\]\.kind: Field required$/,
  );
  assert.match(
    refusal({ ...file("tasks: []"), tasks: [{}] }),
    /"definition\.yaml" is the definition: leave out tasks\./,
  );
  const masked = { name: "a", kind: "sql", query: "select 1", parameters: { password: "********" } };
  assert.match(refusal({ tasks: [masked] }), /parameters\.password: A secret must be a reference/);
});

test("a definition that fails validation by itself cannot be released", () => {
  const valid = { name: "a", kind: "sql", query: "select 1" };
  assert.match(
    refusal({ tasks: [{ ...valid, depend_on: [] }] }),
    /tasks\[0\]\.depend_on: The key is not known\./,
  );
  assert.match(
    refusal({ tasks: [valid], scheduel: {} }),
    /scheduel: The key is not known\. Did you mean schedule\?/,
  );
  assert.match(refusal({ tasks: [valid, valid] }), /Two tasks are named "a"\./);
  assert.match(
    refusal(file("schedule: {cron: 0 6 1 * 1}\ntasks: [{name: a, kind: sql, query: select 1}]")),
    /definition\.yaml:1:18: The cron expression "0 6 1 \* 1" restricts/,
  );
  assert.equal(refusal({ tasks: [valid], overlap: false, timeout_seconds: null }), "");
});
