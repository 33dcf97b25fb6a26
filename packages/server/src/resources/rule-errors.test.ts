import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer({});
});
after(() => server.close());

async function entriesOf(method: string, path: string, body: unknown) {
  const answer = await server.fetch(path, {
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  assert.equal(answer.status, 422);
  const { detail } = (await answer.json()) as { detail: { loc: unknown; msg: string; ctx?: object }[] };
  return detail.map(({ loc, msg, ctx }) => ({ loc, msg, ctx }));
}

test("a 422 of a rule of an extension says where and what was expected", async () => {
  const { client } = server;
  await client.createAutomation({ body: { alias: "a" } });
  const tasks = [{ name: "a", kind: "sql", query: "select 1" }];
  const schedule = { cron: "0 6 * * *" };
  const put = (definition: object) => entriesOf("PUT", "/api/automations/a/definition", definition);
  assert.deepEqual(await put({ tasks, schedule, trigger: { continuous: true } }), [
    {
      loc: ["body", "trigger"],
      msg: "Value error, schedule and trigger cannot be combined",
      ctx: { error: {}, expected: "null, because there is a schedule" },
    },
  ]);
  assert.deepEqual(await put({ tasks, trigger: {} }), [
    {
      loc: ["body", "trigger"],
      msg: "Value error, exactly one of table_update, file_arrival and continuous must be set",
      ctx: { error: {}, expected: "one of table_update, file_arrival, continuous" },
    },
  ]);
  assert.deepEqual(await put({ tasks, schedule: { ...schedule, zone: "UTC" } }), [
    { loc: ["body", "schedule", "zone"], msg: "The key is not known", ctx: { expected: "cron, timezone" } },
  ]);
  const { pipeline_id } = await client.createPipeline({ body: { name: "p", libraries: [{ jar: "a.jar" }] } });
  const start = (body: object) => entriesOf("POST", `/api/v1/pipelines/${pipeline_id}/updates`, body);
  assert.deepEqual(await start({ validate_only: true, full_refresh: true }), [
    {
      loc: ["body", "validate_only"],
      msg: "Value error, validate_only refreshes nothing",
      ctx: { error: {}, expected: "false, or no full_refresh and no selection" },
    },
  ]);
  assert.deepEqual(await start({ full_refresh: true, refresh_selection: ["t"] }), [
    {
      loc: ["body", "full_refresh"],
      msg: "Value error, full_refresh and a selection cannot be combined",
      ctx: { error: {}, expected: "false, or no selection" },
    },
  ]);
  const [password] = await entriesOf("POST", "/api/v1/users", { username: "u", password: "aaaaaaaaaaaa" });
  assert.deepEqual(password?.loc, ["body", "password"]);
  assert.deepEqual(password?.ctx, { error: {}, expected: "characters that are hard to guess" });
});

test("a 422 of a rule of the contract keeps the form of FastAPI", async () => {
  const [entry] = await entriesOf("POST", "/api/v1/pipelines/", { name: "q", libraries: [{}] });
  assert.deepEqual(entry, {
    loc: ["body", "libraries", 0],
    msg: "Value error, exactly one library kind must be set",
    ctx: { error: {} },
  });
});
