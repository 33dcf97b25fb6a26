import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { automationSchema } from "./automation-schema.ts";

test("docs/schemas/automation-v1.json is what the contract prints", async () => {
  const file = new URL("../../../../docs/schemas/automation-v1.json", import.meta.url);
  assert.deepEqual(
    JSON.parse(await readFile(file, "utf8")),
    automationSchema(),
    "print it again: node_modules/.bin/node run.js scripts/print-automation-schema.ts > docs/schemas/automation-v1.json && npm run format",
  );
});

test("every key of a definition is described, and every reference resolves", () => {
  const schema = automationSchema();
  const models: unknown[] = [schema, ...Object.values(schema.$defs ?? {})];
  for (const model of models as { title: string; properties: Record<string, { description?: string }> }[]) {
    for (const [name, { description }] of Object.entries(model.properties)) {
      assert.ok(description, `${model.title}: ${name} has no description`);
    }
  }
  for (const { 1: name = "" } of JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)) {
    assert.ok(Object.hasOwn(schema.$defs ?? {}, name.replace("#/$defs/", "")), name);
  }
});
