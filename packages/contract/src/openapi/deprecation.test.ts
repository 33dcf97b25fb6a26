import assert from "node:assert/strict";
import { test } from "node:test";
import { getInfo } from "../endpoints/system.ts";
import * as s from "../schema/index.ts";
import { operationOf } from "./operation.ts";

const old = { since: "2027-01-31", sunset: "2027-08-01", link: "https://docs.example.test/old" };

test("deprecated operations, parameters and fields are marked", () => {
  const refs: s.Refs = new Map();
  const operation = operationOf(
    "getInfo",
    {
      ...getInfo,
      deprecated: old,
      query: { verbose: s.boolean().default(false).describe("Says more.").deprecated(old) },
      response: s.model("Old", { name: s.string().describe("Its name.").deprecated(old).optional() }),
    },
    refs,
  );
  assert.equal(operation.deprecated, true);
  assert.match(operation.description, /Deprecated since 2027-01-31; it stops working on 2027-08-01: https:/);
  assert.deepEqual(operation.parameters[0], {
    name: "verbose",
    in: "query",
    deprecated: true,
    description: "Says more.",
    schema: { type: "boolean", default: false },
  });
  assert.deepEqual(refs.get("Old")?.properties, {
    name: { type: "string", description: "Its name.", deprecated: true },
  });
  assert.equal(operationOf("getInfo", getInfo, refs).deprecated, undefined);
});
