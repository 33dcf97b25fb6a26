import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, fillTree, placeholdersIn, type TemplateValues, UnfilledPlaceholder } from "./templates.ts";

const values: TemplateValues = {
  parameters: { day: "2026-03-01", limits: { low: 5 }, nothing: null },
  tasks: { count: { status: "succeeded", value: 42, error: null, output: { body: { ids: ["a", "b"] } } } },
  run: { id: "r-1", time: "2026-03-01T06:00:00Z" },
  environment: { name: "prod" },
};

test("placeholders are found with path and offset; secret references are not placeholders", () => {
  assert.deepEqual(placeholdersIn("of {{ tasks.count.value }}: {{secrets/shop/key}} {{}} { {x} }"), [
    { text: "{{ tasks.count.value }}", path: ["tasks", "count", "value"], at: 3 },
    { text: "{{}}", path: [""], at: 49 },
  ]);
});

test("each placeholder in a text is replaced by its value", () => {
  assert.equal(fill("{{run.id}} on {{ environment.name }}", values), "r-1 on prod");
  assert.equal(fill("{{tasks.count.value}}/{{parameters.limits}}", values), '42/{"low":5}');
  assert.equal(fill("{{tasks.count.output.body.ids.1}}{{parameters.nothing}}", values), "b");
  assert.equal(fill("Bearer {{secrets/shop/key}}", values), "Bearer {{secrets/shop/key}}");
});

test("a value that looks like a placeholder is not filled again", () => {
  const sly = { ...values, parameters: { day: "{{run.id}} $& $1" } };
  assert.equal(fill("{{parameters.day}}", sly), "{{run.id}} $& $1");
});

test("in a tree, a placeholder alone keeps the type of its value", () => {
  const tree = { n: "{{tasks.count.value}}", list: ["{{parameters.limits}}", "x{{tasks.count.value}}", 7] };
  assert.deepEqual(fillTree(tree, values), { n: 42, list: [{ low: 5 }, "x42", 7] });
});

test("a placeholder without a value is an error that names it", () => {
  for (const text of ["{{parameters.week}}", "{{tasks.load.value}}", "{{parameters.constructor}}", "{{}}"]) {
    assert.throws(
      () => fill(text, values),
      (error) => error instanceof UnfilledPlaceholder && error.message.startsWith(text),
    );
    assert.throws(() => fillTree([text], values), UnfilledPlaceholder);
  }
});
