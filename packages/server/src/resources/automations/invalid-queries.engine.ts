/** Queries that cannot be filled or run: each problem is reported in terms of its design, with its line. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

suite("invalid queries", () => {
  let server: TestServer;
  let environment: string;
  before(async () => {
    server = await startTestServer();
    const body = { name: "shop", configuration: shopConfiguration };
    environment = (await server.client.createEnvironment({ body })).id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(() => server.close());

  async function validated(content: string) {
    const { client } = server;
    const alias = unique("report");
    await client.createAutomation({ body: { alias } });
    const params = { automation_alias: alias };
    const files = [{ path: "definition.yaml", content }];
    await client.putAttempt({ params: { ...params, attempt_id: "a" }, body: { files } });
    return client.validateArtifacts({ params, body: { attempt_id: "a" }, environment });
  }
  const design = (query: string, ...more: string[]) =>
    ["tasks:", "  - name: a", "    kind: sql", "    query: |", `      ${query}`, ...more, ""].join("\n");
  const problemsOf = async (query: string, ...more: string[]) =>
    (await validated(design(query, ...more))).validation_errors;

  test("a placeholder in place of a name is reported", async () => {
    const why = "is a value here and cannot be a name or a part of one. Put the name in backquotes.";
    for (const before of ["select * from", "insert into", "drop table", "select 1 as"]) {
      assert.deepEqual(await problemsOf(`${before} {{parameters.t}}`, "parameters: {t: orders}"), [
        `definition.yaml:5:${before.length + 8}: Task "a": {{parameters.t}} ${why}`,
      ]);
    }
    assert.deepEqual(await problemsOf("select * from `{{parameters.t}}`", "parameters: {t: orders}"), []);
    assert.deepEqual(await problemsOf("select * from :t", "    parameters: {t: orders}"), [
      `definition.yaml:5:21: Task "a": :t ${why}`,
    ]);
  });

  test("columns refer to the original query", async () => {
    const query = "select {{parameters.long_name}}, '{{parameters.long_name}}', amout from orders";
    const [problem = "", ...more] = await problemsOf(query, "parameters: {long_name: x}");
    assert.deepEqual(more, []);
    assert.match(problem, new RegExp(`^definition.yaml:5:${7 + query.indexOf("amout")}: Task "a": .*amout`));
  });

  test("values that only a run has are not reported", async () => {
    assert.deepEqual(await problemsOf("select * from `x_{{run.id}}`"), [
      'definition.yaml:5:21: Task "a": there is no table shop.sales.x_{{run.id}}.',
    ]);
  });

  test("a parameter that does not fit between quotes is a problem", async () => {
    assert.deepEqual(await problemsOf("select 'x {{parameters.q}} y'", `parameters: {q: "it's"}`), [
      'definition.yaml:4:12: Task "a": The value of {{parameters.q}} contains a quote or a backslash. Use the placeholder without quotes around it.',
    ]);
  });

  test("integers beyond 2^53 are valid values", async () => {
    const large = ["parameters: {n: 12345678901234567890, list: [9007199254740993]}"];
    assert.deepEqual(await problemsOf("select {{parameters.n}}, {{parameters.list}}", ...large), []);
  });

  test("tables of a trigger that do not exist yet are listed, not reported as problems", async () => {
    const trigger = "trigger: {table_update: {table_names: [orders, nowhere, made]}}";
    const answer = await validated(design("create or replace table made as select 1 as a", trigger));
    assert.deepEqual(answer.validation_errors, []);
    assert.deepEqual(answer.metadata_preview?.tables_not_there_yet, ["shop.sales.nowhere"]);
  });
});
