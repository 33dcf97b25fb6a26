import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { startWithWorkspace } from "../testing/connected-server.ts";

type PipelineBody = Parameters<Client["createPipeline"]>[0]["body"];

const orders = {
  name: "orders",
  libraries: [
    { file: { path: "pipelines/orders.sql" } },
    { notebook: { path: "pipelines/clean" } },
    { notebook: { path: "/Workspace/Shared/team/more" } },
    { pypi: { package: "faker==30.1" } },
  ],
  serverless: true,
  configuration: { region: "eu", "fs.azure.account.key": "{{secrets/shop/api}}" },
  notifications: [{ email_recipients: ["ada@example.test"], alerts: ["on-update-failure"] }],
} satisfies PipelineBody;

type Fixture = Awaited<ReturnType<typeof startWithWorkspace>>;

/** The environment's files, and the pipeline. */
async function create(fixture: Fixture, body: PipelineBody = orders) {
  for (const [path, text] of [
    ["pipelines/orders.sql", "CREATE MATERIALIZED VIEW a AS SELECT 1 AS id"],
    ["pipelines/clean.py", "# Databricks notebook source\nimport dlt\n"],
  ] as const) {
    const bytes = new TextEncoder().encode(text);
    await fixture.client.putFile({ params: { path }, body: bytes, environment: "lake" });
  }
  await until(async () => (await fixture.pending()) === 0);
  return fixture.client.createPipeline({ body, environment: "lake" });
}

function only({ pipelines }: Fixture) {
  const all = [...pipelines.pipelines.values()];
  assert.equal(all.length, 1, "there is exactly one pipeline");
  return all[0] as (typeof all)[0];
}

const flowEvents = (updateId: string, status: string, more: object = {}) => [
  {
    event_type: "flow_definition",
    level: "INFO",
    message: "Flow 'a' defined.",
    origin: { dataset_name: "a", update_id: updateId },
    details: { flow_definition: { output_dataset: "a", input_datasets: ["shop.sales.raw"] } },
  },
  {
    event_type: "flow_progress",
    timestamp: "2026-03-01T12:00:00.000Z",
    level: "INFO",
    message: "Flow 'a' is RUNNING.",
    origin: { dataset_name: "a" },
    details: { flow_progress: { status: "RUNNING" } },
  },
  {
    event_type: "flow_progress",
    timestamp: "2026-03-01T12:00:02.000Z",
    level: status === "FAILED" ? "ERROR" : "INFO",
    message: `Flow 'a' is ${status}.`,
    origin: { dataset_name: "a" },
    details: {
      flow_progress: {
        status,
        metrics: { num_output_rows: 41 },
        data_quality: {
          dropped_records: 2,
          expectations: [{ name: "valid_id", dataset: "a", passed_records: 41, failed_records: 2 }],
        },
      },
    },
    ...more,
  },
];

for (const engine of enginesOfSlowSuites) {
  suite(`pipelines in a workspace, ${engine}`, () => {
    test("a pipeline becomes one there with its files, secrets and tags; deleting it keeps its tables", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { client, objects, pipelines } = fixture;
      const created = await create(fixture);
      assert.equal(created.error_message, null);
      const { pipeline_id, spec } = only(fixture);
      assert.equal(created.platform_reference, pipeline_id);
      const folder = spec.libraries[0].file.path.replace(/\/pipelines\/orders\.sql$/, "");
      assert.deepEqual(spec.libraries, [
        { file: { path: `${folder}/pipelines/orders.sql` } },
        { notebook: { path: `${folder}/pipelines/clean` } },
        { notebook: { path: "/Workspace/Shared/team/more" } },
      ]);
      assert.equal(objects.objects.get(`${folder}/pipelines/orders.sql`)?.type, "FILE");
      const notebook = objects.objects.get(`${folder}/pipelines/clean`);
      assert.deepEqual([notebook?.type, notebook?.language], ["NOTEBOOK", "PYTHON"]);
      assert.deepEqual(spec.environment, { dependencies: ["faker==30.1"] });
      assert.deepEqual([spec.catalog, spec.schema, spec.serverless], ["shop", "default", true]);
      assert.deepEqual(spec.notifications, orders.notifications);
      assert.equal(spec.configuration.region, "eu");
      const [secret] = objects.secrets.keys();
      assert.equal(spec.configuration["fs.azure.account.key"], `{{secrets/${secret}}}`);
      assert.deepEqual([...objects.secrets.values()], ["Bearer s3cr3t-9920"]);
      assert.equal(spec.tags["platform.managed_by"], "lakehelm");
      assert.equal(spec.tags.lakehelm_resource, `pipeline/${created.pipeline_id}`);
      assert.equal(spec.tags.team, "data");

      const params = { pipeline_id: created.pipeline_id };
      await client.updatePipeline({ params, body: { name: "orders 2", configuration: {} } });
      assert.equal(only(fixture).spec.name, "orders 2");
      assert.equal(only(fixture).pipeline_id, pipeline_id);
      assert.equal(objects.secrets.size, 0, "secrets that are not used any more are deleted");

      await client.deletePipeline({ params });
      assert.deepEqual([pipelines.pipelines.size, objects.deployed().size], [0, 0]);
      assert.deepEqual(pipelines.deletions, [{ cascade: "false" }]);
      assert.equal((await client.listJobs()).total, 0);
    });

    test("a create whose answer is lost is found by its mark, also after a crash; a stranger's pipeline stays", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { pipelines, workspace } = fixture;
      const stranger = { name: "orders", tags: { team: "other" }, libraries: [{ jar: "x" }] };
      pipelines.pipelines.set("7", { pipeline_id: "7", spec: stranger });
      workspace.fail({ match: "POST /api/2.0/pipelines", kind: "silence", after: true });
      const unanswered = create(fixture).catch((error) => error);
      await until(() => pipelines.pipelines.size === 2);
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pending()) === 0);
      assert.equal(pipelines.pipelines.size, 2);
      const ours = [...pipelines.pipelines.keys()].find((id) => id !== "7");
      const [pipeline] = (await fixture.client.listPipelines()).pipelines;
      assert.equal(pipeline?.platform_reference, ours);
      assert.deepEqual(pipelines.pipelines.get("7")?.spec, stranger);
      assert.equal(workspace.lines().filter((line) => line === "POST /api/2.0/pipelines").length, 1);
    });

    test("an update is started once, followed over a crash, and ends with tables and errors of its log", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { pipelines, workspace, objects } = fixture;
      const { pipeline_id } = await create(fixture);
      const params = { pipeline_id };
      const changed = new TextEncoder().encode("CREATE MATERIALIZED VIEW a AS SELECT 2 AS id");
      await fixture.client.putFile({
        params: { path: "pipelines/orders.sql" },
        body: changed,
        environment: "lake",
      });
      // The answer is lost: the newer update with the same options is this one.
      const path = `/api/2.0/pipelines/${only(fixture).pipeline_id}/updates`;
      workspace.fail({ match: `POST ${path}`, kind: "drop", after: true });
      const body = { full_refresh_selection: ["a"] };
      const { update_id } = await fixture.client.startPipelineUpdate({ params, body });
      const [there] = await until(() => pipelines.updates.length > 0 && pipelines.updates);
      assert.ok(there);
      assert.deepEqual(there.options, body);
      const texts = [...objects.deployed().values()].map(({ content }) => content);
      assert.ok(
        texts.some((text) => text.includes("SELECT 2")),
        "the current files are written first",
      );
      const read = () => fixture.client.getPipelineUpdate({ params: { pipeline_id, update_id } });
      const run = () => fixture.client.getRun({ params: { run_id: update_id } });
      await until(async () => (await run()).metrics.databricks && (await read()).state === "RUNNING");
      await fixture.crash();
      pipelines.events.set(
        there.update_id,
        flowEvents(there.update_id, "FAILED", {
          error: { exceptions: [{ message: "[DIVIDE_BY_ZERO] in a" }] },
        }),
      );
      there.state = "FAILED";
      await until(async () => (await read()).state === "FAILED");
      const update = await read();
      assert.equal(update.error, "[DIVIDE_BY_ZERO] in a");
      assert.equal(pipelines.updates.length, 1);
      const [table] = update.tables;
      assert.deepEqual(
        [table?.name, table?.state, table?.rows_added, table?.rows_dropped, table?.seconds],
        ["shop.default.a", "failed", 41, 2, 2],
      );
      assert.deepEqual(table?.expectations, [{ name: "valid_id", action: "drop", passed: 41, failed: 2 }]);
      const { tables } = await fixture.client.getPipelineGraph({ params });
      assert.deepEqual(
        tables.map(({ name, reads }) => [name, ...reads]),
        [["shop.default.a", "shop.sales.raw"]],
      );
      const environment = (await fixture.client.getRun({ params: { run_id: update_id } })).environment_id;
      const { edges } = await fixture.client.getTableLineage({
        query: { table: "shop.default.a" },
        environment,
      });
      assert.deepEqual(edges, [
        { from: "pipeline/orders", to: "table/shop.default.a" },
        { from: "table/shop.sales.raw", to: "pipeline/orders" },
      ]);
      const { events } = await fixture.client.listPipelineEvents({ params });
      assert.ok(events.some((event) => event.table === "shop.default.a" && event.state === "failed"));
      const { health } = await fixture.client.getPipeline({ params });
      assert.deepEqual([health?.status, health?.consecutive_failures], ["UNHEALTHY", 1]);
    });
  });
}

suite("pipelines in a workspace", () => {
  test("updates that were started there are recorded once, and a stop here stops them", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { client, pipelines } = fixture;
    const { pipeline_id } = await create(fixture);
    const params = { pipeline_id };
    const { pipeline_id: there } = only(fixture);
    pipelines.begin(there, "USER_ACTION", { validate_only: true }).state = "COMPLETED";
    const active = pipelines.begin(there, "JOB_TASK");
    const updates = async () => (await client.listPipelineUpdates({ params })).updates;
    const states = async () => (await updates()).map(({ state, cause }) => `${state} ${cause}`).sort();
    await until(async () => (await states()).join() === "COMPLETED manual,RUNNING automation");
    assert.deepEqual((await client.getPipeline({ params })).health?.status, "UNKNOWN");
    // The second update waits for the first one, which is stopped with it.
    const second = await client.startPipelineUpdate({ params, body: {} });
    await client.stopPipeline({ params });
    await until(() => active.state === "CANCELED");
    await until(async () => (await updates()).every(({ end_time }) => end_time !== null));
    assert.equal(
      (await updates()).find(({ update_id }) => update_id === second.update_id)?.state,
      "CANCELED",
    );
    assert.equal(pipelines.updates.length, 2);
  });

  test("a continuous pipeline that is stopped does not start by itself until an update is started", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { client, pipelines } = fixture;
    const { pipeline_id, stopped } = await create(fixture, { ...orders, continuous: true, paused: true });
    assert.ok(stopped);
    assert.deepEqual([only(fixture).spec.continuous, pipelines.updates.length], [false, 0]);
    const params = { pipeline_id };
    await client.startPipelineUpdate({ params, body: {} });
    await until(() => pipelines.updates.length === 1);
    assert.equal(only(fixture).spec.continuous, true);
    const { update_id } = await client.startPipelineUpdate({ params, body: {} });
    const second = () => client.getPipelineUpdate({ params: { pipeline_id, update_id } });
    await until(async () => (await second()).state === "FAILED");
    assert.match((await second()).error ?? "", /runs without end/);
    await client.stopPipeline({ params });
    await until(() => pipelines.updates[0]?.state === "CANCELED");
    await client.updatePipeline({ params, body: { channel: "PREVIEW" } });
    assert.deepEqual([only(fixture).spec.channel, only(fixture).spec.continuous], ["PREVIEW", false]);
  });

  test("what cannot be installed is said, and nothing is created; while the workspace is unavailable it is created later", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { client, pipelines, workspace } = fixture;
    const missing = await create(fixture, { name: "missing", libraries: [{ file: { path: "no.sql" } }] });
    assert.match(String(missing.error_message), /"no\.sql" is not among the files of the environment/);
    const params = { pipeline_id: missing.pipeline_id };
    await refused(client.startPipelineUpdate({ params, body: {} }), 409, /not among the files/);
    assert.equal(pipelines.pipelines.size, 0);
    workspace.fail({ match: "POST /api/2.0/pipelines", kind: "html" });
    const later = await create(fixture);
    assert.equal(later.platform_reference, null);
    assert.match(
      String(later.error_message),
      /cannot be read: it is a web page\..* The server tries again\./,
    );
    await until(async () => (await fixture.pending()) === 0);
    const found = await client.getPipeline({ params: { pipeline_id: later.pipeline_id } });
    assert.deepEqual([found.platform_reference, found.error_message], [only(fixture).pipeline_id, null]);
    // A pipeline with the recorded id that is not ours is never changed.
    const { pipeline_id: known } = only(fixture);
    const foreign = { pipeline_id: known, spec: { name: "other", tags: {}, libraries: [{ jar: "x" }] } };
    pipelines.pipelines.set(known, foreign);
    const body = { channel: "PREVIEW" };
    await client.updatePipeline({ params: { pipeline_id: later.pipeline_id }, body });
    assert.equal(foreign.spec.name, "other");
    assert.equal(pipelines.pipelines.size, 2);
  });

  test("many pipelines are followed by one list", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { client, pipelines, workspace } = fixture;
    await create(fixture);
    for (let n = 0; n < 4; n++) await create(fixture, { ...orders, name: `orders ${n}` });
    for (const id of pipelines.pipelines.keys()) pipelines.begin(id, "USER_ACTION");
    await until(async () => (await client.listRuns({ query: { status: "running" } })).runs.length === 5);
    const reads = (pattern: RegExp) => workspace.lines().filter((line) => pattern.test(line)).length;
    const before = reads(/^GET \/api\/2\.0\/pipelines\/[^/]+$/);
    const lists = reads(/^GET \/api\/2\.0\/pipelines$/);
    await until(() => reads(/^GET \/api\/2\.0\/pipelines$/) >= lists + 2);
    assert.equal(reads(/^GET \/api\/2\.0\/pipelines\/[^/]+$/), before);
  });
});
