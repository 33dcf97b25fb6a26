import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "@lakehelm/contract";
import { apiSource, operationsSource } from "./api-source.ts";
import { runtimeFiles } from "./runtime-files.ts";

test("every endpoint has its types and its row, the same each time", () => {
  const [api, operations] = [apiSource(), operationsSource()];
  for (const name of Object.keys(endpoints)) {
    assert.match(api, new RegExp(`^ {2}${name}: \\{$`, "m"));
    assert.match(operations, new RegExp(`^ {2}${name}: \\{"method"`, "m"));
  }
  assert.equal(apiSource(), api);
});

test("a key with a default is optional in requests and present in responses", () => {
  const api = apiSource();
  assert.match(api, /type ScheduleConfig = \{[^}]*timezone\?: string \| null;/);
  assert.match(api, /type ScheduleConfigOutput = \{[^}]*timezone: string \| null;/);
});

test("the transport imports none of the contract's schemas and nothing of Node's", async () => {
  const paths = [...(await runtimeFiles()).keys()];
  assert.ok(paths.includes("client/transport.ts"));
  assert.deepEqual(
    paths.filter((path) => !/^(?:client|text)\//.test(path)),
    [],
  );
});
