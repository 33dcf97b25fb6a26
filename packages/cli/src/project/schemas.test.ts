import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { lakehelm } from "../testing/terminal.ts";
import { projectSchema, schemaNames } from "./schemas.ts";

for (const name of schemaNames) {
  test(`docs/schemas/project/${name}.json is what the contract prints`, async () => {
    const file = new URL(`../../../../docs/schemas/project/${name}.json`, import.meta.url);
    assert.deepEqual(
      JSON.parse(await readFile(file, "utf8")),
      projectSchema(name),
      "print it again: node_modules/.bin/node run.js scripts/print-project-schemas.ts && npm run format",
    );
  });

  test(`every key of ${name}.json is described, unknown keys are errors, and references resolve`, () => {
    const { $defs = {}, ...root } = projectSchema(name) as Record<string, unknown>;
    const models = [root, ...Object.values($defs as object)] as Record<string, unknown>[];
    for (const { properties = {}, additionalProperties, anyOf } of models) {
      if (anyOf) continue;
      assert.equal(additionalProperties, false);
      for (const [key, { description }] of Object.entries(
        properties as Record<string, { description?: string }>,
      ))
        assert.ok(description, `${key} has no description`);
    }
    for (const { 1: ref = "" } of JSON.stringify([root, $defs]).matchAll(/"\$ref":"([^"]*)"/g))
      assert.ok(Object.hasOwn($defs as object, ref.replace("#/$defs/", "")), ref);
  });
}

test("lakehelm schema prints a schema, and says which there are", async () => {
  const { code, stdout } = await lakehelm(["schema", "flow"]);
  assert.deepEqual([code, JSON.parse(stdout)], [0, projectSchema("flow")]);
  const unknown = await lakehelm(["schema", "table"]);
  assert.deepEqual(
    [unknown.code, /Name one of lakehelm, connector, pipeline/.test(unknown.stderr)],
    [2, true],
  );
});
