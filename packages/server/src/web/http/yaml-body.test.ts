import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startTestServer, type TestServer } from "../../testing/server.ts";

const yaml = { "content-type": "application/yaml" };
const definition = `
description: Refresh the orders   # every morning
tasks:
  - name: load
    kind: sql
    query: |
      select 1
    parameters: {n: 12345678901234567890}
`;

suite("bodies in YAML", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.client.createAutomation({ body: { alias: "daily" } });
  });
  after(() => server.close());

  const send = (method: string, path: string, body: string, headers: Record<string, string> = yaml) =>
    server.fetch(path, { method, body, headers });
  const refusal = async (body: string, headers?: Record<string, string>) => {
    const answer = await send("PUT", "/api/automations/daily/definition", body, headers);
    return { status: answer.status, detail: ((await answer.json()) as { detail: unknown }).detail };
  };

  test("are parsed like the same JSON", async () => {
    const answer = await send("PUT", "/api/automations/daily/definition", definition);
    assert.equal(answer.status, 200, await answer.clone().text());
    const text = await answer.text();
    assert.match(text, /"query":"select 1\\n"/);
    assert.match(text, /"n":12345678901234567890/);
    const types = ["text/yaml", "application/x-yaml; charset=utf-8", "application/vnd.lakehelm+yaml"];
    for (const type of types) {
      const same = await send("PUT", "/api/automations/daily/definition", definition, {
        "content-type": type,
      });
      assert.equal(await same.text(), text, type);
    }
    const created = await send(
      "POST",
      "/api/automations",
      `alias: weekly\ndefinition:${definition.replaceAll("\n", "\n  ")}`,
    );
    assert.equal(created.status, 200, await created.clone().text());
    const attempt = await send("PUT", "/api/automations/daily/attempts/a", definition);
    assert.equal(attempt.status, 200);
  });

  test("that are invalid are 422 with line and column", async () => {
    assert.deepEqual(await refusal("tasks:\n  - name: a\n    name: b\n"), {
      status: 422,
      detail: [
        {
          type: "yaml_invalid",
          loc: ["body", 3, 5],
          msg: "YAML decode error in line 3, column 5",
          input: {},
          ctx: { error: 'Duplicate key "name".', line: 3, column: 5 },
        },
      ],
    });
    for (const body of [
      "tasks: &a [*a]",
      "tasks: [.nan]",
      "[".repeat(5000),
      "a: 1\n---\nb: 2",
      "x".repeat(100_001),
    ]) {
      assert.equal((await refusal(body)).status, 422, body.slice(0, 20));
    }
    const latin = await server.fetch("/api/automations/daily/definition", {
      method: "PUT",
      body: Buffer.from([0x61, 0xff]),
      headers: yaml,
    });
    assert.equal(latin.status, 400);
  });

  test("that do not match the schema are rejected like JSON, with line and column", async () => {
    const body = "tasks:\n  - name: load\n    kind: sql\n    retries: many\n  - kind: sql\n";
    assert.deepEqual((await refusal(body)).detail, [
      {
        type: "int_parsing",
        loc: ["body", "tasks", 0, "retries"],
        msg: "Input should be a valid integer, unable to parse string as an integer",
        input: "many",
        ctx: { line: 4, column: 14 },
      },
      {
        type: "missing",
        loc: ["body", "tasks", 1, "name"],
        msg: "Field required",
        input: { kind: "sql" },
        ctx: { line: 5, column: 5 },
      },
    ]);
  });

  test("with unknown keys are rejected, and keys that belong into the definition are named", async () => {
    const errorsOf = async (answer: Response) =>
      ((await answer.json()) as { detail: { loc: string[]; msg: string; ctx: object }[] }).detail.map(
        ({ loc, msg, ctx }) => [loc.join("."), msg, ctx],
      );
    const definition = "tasks: []\nscheduel:\n  cron: 0 6 * * *\n";
    const keys =
      "version, description, tasks, schedule, trigger, parameters, overlap, max_concurrent_tasks, timeout_seconds, notifications";
    const expected = "alias, description, definition";
    assert.deepEqual(await errorsOf(await send("PUT", "/api/automations/daily/definition", definition)), [
      ["body.scheduel", "The key is not known", { expected: keys, line: 2, column: 1 }],
    ]);
    assert.deepEqual(
      await errorsOf(await send("POST", "/api/automations", "alias: x\ntasks: []\nowner: me\n")),
      [
        [
          "body.tasks",
          "It is part of the definition: put it under definition",
          { expected, line: 2, column: 1 },
        ],
        ["body.owner", "The key is not known", { expected, line: 3, column: 1 }],
      ],
    );
  });

  test("are accepted only by endpoints that declare YAML, and by their content type", async () => {
    assert.equal((await send("POST", "/api/v1/environments/", "name: dev")).status, 422);
    assert.equal((await refusal(definition, { "content-type": "text/plain" })).status, 422);
    assert.equal((await refusal("", yaml)).status, 422);
  });
});
