import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ValidationError } from "@lakehelm/contract/schema";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { limitedErrors } from "./validation-answer.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function refusedText(path: string, body: string, contentType = "application/json"): Promise<string> {
  const response = await server.fetch(path, {
    method: "POST",
    body,
    headers: { "content-type": contentType },
  });
  assert.equal(response.status, 422);
  return response.text();
}

const entriesOf = (text: string) => (JSON.parse(text) as { detail: ValidationError[] }).detail;

test("a small input is echoed as it was sent", async () => {
  const [entry] = entriesOf(await refusedText("/api/v1/connectors/", '{"name":5}'));
  assert.deepEqual(entry?.input, 5);
});

test("`input` is left out past 64 KiB, and the other keys stay", async () => {
  const text = await refusedText("/api/v1/connectors/", JSON.stringify({ other: "x".repeat(1_000_000) }));
  assert.ok(text.length < 2_000, `${text.length}`);
  for (const entry of entriesOf(text)) {
    assert.deepEqual(Object.keys(entry), ["type", "loc", "msg"]);
    assert.equal(entry.type, "missing");
  }
});

test("an input just below 64 KiB is echoed, and inputs count together", () => {
  const error = (input: string): ValidationError => ({ type: "t", loc: ["body"], msg: "m", input });
  const half = "x".repeat(32 * 1024 - 2);
  const [first, second, third] = limitedErrors([error(half), error(half), error("y")]);
  assert.equal(first?.input, half);
  assert.equal(second?.input, half);
  assert.deepEqual(third, { type: "t", loc: ["body"], msg: "m" });
});

test("the list of errors ends after 100, for a body of a megabyte too", async () => {
  const clusters = `[${Array(120_000).fill("{}").join(",")}]`;
  const body = `{"name":"x","environment":"dev","clusters":${clusters},"libraries":${clusters}}`;
  const text = await refusedText("/api/v1/pipelines/", body);
  assert.equal(entriesOf(text).length, 100);
  assert.ok(text.length < 50_000, `${text.length}`);
});

test("long keys and messages are shortened in the answer and in the log", async () => {
  const key = "k".repeat(500_000);
  const text = await refusedText(
    "/api/v1/pipelines/",
    JSON.stringify({ name: "x", configuration: { [key]: 5 }, clusters: 1, libraries: 1 }),
  );
  assert.ok(text.length < 10_000, `${text.length}`);
  for (const line of server.logged)
    assert.ok(line.length < 10_000, `a log line has ${line.length} characters`);
});

test("a detail that names what was sent is shortened", async () => {
  const name = "n".repeat(900_000);
  const body = JSON.stringify({ name, target_type: "csv", target_config: null, created_by: "ada" });
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  const answers = [
    await server.fetch("/api/v1/connectors/", init),
    await server.fetch("/api/v1/connectors/", init),
  ];
  const last = answers.at(-1);
  assert.ok(last && last.status >= 400);
  assert.ok((await last.text()).length < 5_000);
});
