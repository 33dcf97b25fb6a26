import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Endpoint } from "./endpoint.ts";
import * as endpoints from "./endpoints/index.ts";
import { requestParser } from "./request.ts";
import * as s from "./schema/index.ts";

const ValidationCase = s.model("ValidationCase", {
  id: s.string(),
  category: s.string(),
  endpoint: s.integer(),
  path: s.string(),
  headers: s.map(s.string()),
  body: s.string().optional(),
  body_base64: s.string().optional(),
  expect: s.map(),
});
type ValidationCase = s.Infer<typeof ValidationCase>;
type ExpectedAnswer =
  | { status: 422; detail: s.ValidationError[] }
  | { status: 400 }
  | { parsed: Record<string, unknown> };

const lines = readFileSync(new URL("../cases/validation.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

test("there are 400 recorded cases", () => assert.equal(lines.length, 400));

for (const line of lines) {
  const recorded = readCase(line);
  test(`${recorded.id}: ${recorded.category} of #${recorded.endpoint}`, () => {
    const { expect } = recorded;
    const answer = answerTo(recorded);
    if ("below" in expect) return;
    if ("parsed" in expect) assertSame(answer, { parsed: expect.parsed });
    else assertSame(answer, expect);
  });
}

test("no query parameter arrives as a bigint, which arithmetic with numbers would not accept", () => {
  const huge = "9".repeat(40);
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    for (const [name, schema] of Object.entries(endpoint.query ?? {})) {
      const errors: s.ValidationError[] = [];
      const value = schema.check(huge, ["query", name], errors);
      const isSafe = errors.length > 0 || typeof value !== "bigint";
      assert.ok(isSafe, `${endpoint.method} ${endpoint.path}: ${name} has neither \`le\` nor \`cap\``);
    }
  }
});

function readCase(line: string): ValidationCase {
  const decoded = s.decodeJson(line);
  assert.ok("value" in decoded, "a line is JSON");
  const errors: s.ValidationError[] = [];
  const recorded = ValidationCase.check(decoded.value, [], errors);
  assert.deepEqual(errors, []);
  return recorded;
}

/** The result of parsing a recorded request. */
function answerTo(recorded: ValidationCase): ExpectedAnswer {
  const endpoint = Object.values<Endpoint>(endpoints).find(({ number }) => number === recorded.endpoint);
  assert.ok(endpoint);
  const [path = ""] = recorded.path.split("?");
  const { "x-environment-id": environment, "content-type": contentType } = recorded.headers;
  const params = parametersOf(path, endpoint.path);
  const reading = requestParser(endpoint)({
    params,
    url: recorded.path,
    body: bytesOf(recorded),
    contentType,
  });
  if ("unreadable" in reading) return { status: 400 };
  if ("errors" in reading) return { status: 422, detail: reading.errors };
  const parsed: Record<string, unknown> = { ...reading.params, ...reading.query };
  if (environment !== undefined && endpoint.headers) parsed.environment = environment;
  if (endpoint.body && reading.body !== undefined) parsed.body = reading.body;
  return { parsed };
}

function parametersOf(path: string, template: string): Record<string, string> {
  const pattern = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const groups = new RegExp(`^${pattern}/?$`).exec(path)?.groups ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function bytesOf({ body, body_base64 }: ValidationCase): Uint8Array {
  return body_base64 === undefined
    ? new TextEncoder().encode(body ?? "")
    : Buffer.from(body_base64, "base64");
}

/** Compares JSON values: 5 equals 5.0, 0 equals -0, and the order of keys in an object does not matter. */
function assertSame(actual: unknown, expected: unknown): void {
  assert.deepEqual(comparable(actual), comparable(expected));
}

function comparable(value: unknown): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value)))
    return BigInt(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, comparable(item)]));
}
