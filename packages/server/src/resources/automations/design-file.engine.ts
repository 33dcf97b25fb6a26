/** Designs as users write them: YAML with source lines, and statements that are checked against the catalog. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { AttemptRequest } from "@lakehelm/contract";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

const report = `# Every morning, after the orders are in.
version: 1
tasks:
  - name: stage
    kind: sql
    query: |
      create or replace table shop.sales.big_orders as
      select order_id, amount from orders where amount > :least;
    parameters: {least: "{{parameters.least}}"}
  - name: count
    kind: sql
    depends_on: [stage]
    query: select count(*) from big_orders
parameters: {least: 15}
schedule: {cron: "0 6 * * *", timezone: Europe/Berlin}
`;

suite("a design as a file", () => {
  let server: TestServer;
  let environment: string;
  before(async () => {
    server = await startTestServer();
    const body = { name: "shop", configuration: shopConfiguration };
    environment = (await server.client.createEnvironment({ body })).id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(() => server.close());

  async function given(alias = unique("report")) {
    const { client } = server;
    await client.createAutomation({ body: { alias } });
    const params = { automation_alias: alias };
    const put = (body: AttemptRequest | Partial<AttemptRequest>) =>
      client.putAttempt({ params: { ...params, attempt_id: "a" }, body });
    return {
      alias,
      params,
      put,
      async validated(body: Partial<AttemptRequest>) {
        await put(body);
        return client.validateArtifacts({ params, body: { attempt_id: "a" }, environment });
      },
    };
  }
  const asFile = (content: string, path = "definition.yaml") => ({ files: [{ path, content }] });

  test("passes with its comments; the preview lists the tables that it reads and writes", async () => {
    const { alias, validated } = await given();
    const answer = await validated(asFile(report));
    assert.deepEqual(answer.validation_errors, []);
    assert.ok(answer.files_to_commit.includes(`automations/${alias}/definition.yaml`));
    const { tables_read, tables_written, files } = answer.metadata_preview as Record<string, unknown[]>;
    assert.deepEqual(tables_read, ["shop.sales.big_orders", "shop.sales.orders"]);
    assert.deepEqual(tables_written, ["shop.sales.big_orders"]);
    const file = { path: "definition.yaml", bytes: Buffer.byteLength(report) };
    assert.ok(files?.some((one) => JSON.stringify(one) === JSON.stringify(file)));
  });

  test("its statements are checked against the catalog, and problems have the line of the file", async () => {
    const { validated } = await given();
    const wrong = report
      .replace("order_id, amount", "order_id, amout")
      .replace("from big_orders", "from bigger");
    const { validation_errors: problems } = await validated(asFile(wrong));
    assert.equal(problems.length, 2, problems.join("\n"));
    assert.match(problems[0] ?? "", /^definition\.yaml:8:24: Task "stage": .*amout/);
    assert.match(
      problems[1] ?? "",
      /^definition\.yaml:13:12: Task "count": .*bigger.*\(line 1, column 22 of its query\)$/,
    );
  });

  test("statements that use the outputs of other tasks are checked too", async () => {
    const { validated } = await given();
    const next = (query: string) =>
      `${report}`.replace("parameters: {least: 15}", () =>
        [
          "  - name: pick",
          "    kind: sql",
          "    depends_on: [count]",
          `    query: ${query}`,
          "parameters: {least: 15}",
        ].join("\n"),
      );
    const valid = "select order_id from big_orders where amount > {{tasks.count.value}} limit 3";
    assert.deepEqual((await validated(asFile(next(valid)))).validation_errors, []);
    const [problem, ...more] = (await validated(asFile(next(valid.replace("amount", "price")))))
      .validation_errors;
    assert.match(problem ?? "", /^definition\.yaml:17:12: Task "pick": .*price/);
    assert.deepEqual(more, []);
  });

  test("problems have the lines of the original file", async () => {
    const { validated } = await given();
    const problemsIn = async (content: string, path?: string) =>
      (await validated(asFile(content, path))).validation_errors;
    assert.deepEqual(await problemsIn(report.replace("kind: sql", "kind: spl")), [
      "definition.yaml:5:11: tasks[0].kind: Input should be 'sql', 'flow', 'connector', 'pipeline', 'http', 'agent', 'automation', 'python' or 'shell'",
    ]);
    assert.deepEqual(await problemsIn(report.replace("depends_on: [stage]", "depends_on: [stage, load]")), [
      'definition.yaml:12:25: Task "count" depends on "load", which is not a task of this automation.',
    ]);
    assert.deepEqual(await problemsIn(report.replace("parameters.least", "parameters.most")), [
      'definition.yaml:9:25: Task "stage" uses {{parameters.most}}, which is not a parameter of this automation.',
    ]);
    assert.deepEqual(await problemsIn(report.replace('"0 6 * * *"', '"0 6 1 * 1"')), [
      'definition.yaml:15:18: The cron expression "0 6 1 * 1" restricts the day of month ("1") and the day of week ("1"): Unix cron fires when either matches, which one Quartz expression cannot express. Put * into one of them, or create two schedules, "0 6 1 * *" and "0 6 * * 1".',
    ]);
    assert.deepEqual(await problemsIn("tasks:\n  - {name: a, name: b}\n"), [
      'definition.yaml:2:15: Duplicate key "name".',
    ]);
    assert.deepEqual(
      await problemsIn('{\n\t"tasks": [\n\t\t{"name": "a", "kind": "http"}\n\t]\n}', "definition.json"),
      ['definition.json:3:3: Task "a" is of kind http and needs an http(s) url.'],
    );
  });

  test("channels of notifications must be bound in the environment", async () => {
    const { validated } = await given();
    const { client } = server;
    await client.bindChat({ body: { environment: "shop", channel_id: "C1" } });
    const notifications = "notifications: {on_failure: [C1, C2]}\n";
    assert.deepEqual((await validated(asFile(report + notifications))).validation_errors, [
      'definition.yaml:16:34: The channel "C2" is not bound in shop.',
    ]);
  });

  test("a definition is either a file or the fields of the attempt", async () => {
    const { validated } = await given();
    const both = await validated({
      ...asFile(report),
      tasks: [{ name: "x", kind: "sql", query: "select 1" }],
      overlap: true,
    });
    assert.deepEqual(both.validation_errors, [
      '"definition.yaml" is the definition: leave out tasks, overlap.',
    ]);
    const twice = await validated({
      files: [...asFile(report).files, ...asFile("{}", "definition.json").files],
    });
    assert.deepEqual(twice.validation_errors, [
      '"definition.json" is a second definition. Remove it: "definition.yaml" is already the definition.',
    ]);
    const none = await validated({});
    assert.deepEqual(none.validation_errors, ["definition.yaml:3:8: The automation has no tasks."]);
  });

  test("a file that contains a secret is rejected", async () => {
    const { put } = await given();
    const files = asFile("tasks:\n  - name: a\n    parameters: {password: hunter2}\n").files;
    const problem = /definition\.yaml:3:28: tasks\[0\]\.parameters\.password: A secret must be a reference/;
    await refused(put({ files }), 409, problem);
    const bearer = { headers: { Authorization: "Bearer {{secrets/shop/key}}" } };
    const { tasks } = await put({ tasks: [{ name: "a", kind: "http", parameters: bearer }] });
    assert.deepEqual(tasks[0]?.parameters, bearer);
  });

  test("an attempt stores all fields of a definition", async () => {
    const { put } = await given();
    const body = {
      tasks: [],
      trigger: { continuous: true },
      overlap: true,
      timeout_seconds: 60,
      notifications: { on_failure: ["C1"] },
    };
    const { trigger, overlap, timeout_seconds, notifications } = await put(body);
    assert.deepEqual({ tasks: [], trigger, overlap, timeout_seconds, notifications }, body);
  });
});
