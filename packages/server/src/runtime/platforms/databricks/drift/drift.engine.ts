import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { refused } from "../../../../testing/refusal.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { flow, tickets } from "../testing/connected-server.ts";
import { startDrifting as start } from "../testing/drifting-server.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`drift in a workspace, ${engine}`, () => {
    test("what the service adds is no difference; what somebody changes is shown by field, and put back one by one", async (t) => {
      const { client, create, only, drift, server } = await start(t, engine);
      const { id } = await create(tickets);
      assert.deepEqual(await drift(), []);
      const { settings } = only();
      const declared = structuredClone(settings);
      settings.schedule.quartz_cron_expression = "0 30 7 ? * MON-FRI";
      settings.tags.team = "other";
      settings.tasks[0].max_retries = 9;
      settings.email_notifications = { on_start: ["eve@example.test"] };
      const found = await drift();
      assert.deepEqual(
        found.map(({ field, declared, live }) => [field, declared, live]).sort(),
        [
          ["email_notifications", null, { on_start: ["eve@example.test"] }],
          ["schedule.quartz_cron_expression", "0 */15 * * * ?", "0 30 7 ? * MON-FRI"],
          ["tags.team", "data", "other"],
          ["tasks.ingest.max_retries", declared.tasks[0].max_retries, 9],
        ].sort(),
      );
      const one = found[0];
      assert.deepEqual(
        [one?.resource, one?.kind, one?.name, one?.seen_in, one?.change],
        [`connector/${id}`, "connector", "tickets", "platform", "changed"],
      );
      const again = await drift();
      assert.deepEqual(again, found, "seen since the first time");
      const query = { kind: "connector", resource: `connector/${id}` } as const;
      assert.equal((await client.listDrift({ query })).total, found.length);
      assert.equal((await client.listDrift({ query: { kind: "flow" } })).total, 0);

      const idOf = (field: string) => ({ drift_id: found.find((one) => one.field === field)?.id ?? "" });
      const reverted = await client.revertDrift({ params: idOf("tags.team") });
      assert.equal(reverted.message, "tags.team of tickets was put back.");
      assert.equal(only().settings.tags.team, "data");
      assert.equal(only().settings.tasks[0].max_retries, 9, "others stay");

      await client.adoptDrift({ params: idOf("schedule.quartz_cron_expression") });
      await client.adoptDrift({ params: idOf("tasks.ingest.max_retries") });
      const adopted = await client.getConnector({ params: { connector_id: id } });
      assert.deepEqual([adopted.schedule_cron, adopted.policy?.attempts], ["30 7 * * MON-FRI", 10]);
      const params = idOf("email_notifications");
      await refused(client.adoptDrift({ params }), 409, /A connector has no field for email_notifications/);
      assert.deepEqual((await drift()).map(({ field }) => field).sort(), ["email_notifications"]);
      await client.revertDrift({ params });
      assert.deepEqual(await drift(), []);
      await refused(client.revertDrift({ params }), 404, /There is no difference/);
      await server.server.events.seal();
      const { events } = await client.readEvents({ query: { kind: "drift.*" } });
      const kinds = new Set(events.map(({ kind }) => kind));
      assert.deepEqual([...kinds].sort(), ["drift.adopted", "drift.ended", "drift.found", "drift.reverted"]);
    });
  });
}

suite("drift in a workspace", () => {
  test("what is gone is shown and made again, also after a restart", async (t) => {
    const fixture = await start(t);
    const { id, workflow_id } = await fixture.create(tickets);
    fixture.jobs.jobs.clear();
    const [gone, ...others] = await fixture.drift();
    assert.deepEqual([gone?.change, gone?.field, gone?.live, others.length], ["gone", null, null, 0]);
    const params = { drift_id: gone?.id ?? "" };
    await refused(fixture.client.adoptDrift({ params }), 409, /delete "tickets" here/);
    await fixture.crash();
    assert.deepEqual((await fixture.client.listDrift({})).drift, [gone]);
    const { message } = await fixture.client.revertDrift({ params });
    assert.equal(message, "tickets was created again.");
    const { job_id } = fixture.only();
    assert.notEqual(job_id, workflow_id);
    const connector = await fixture.client.getConnector({ params: { connector_id: id } });
    assert.deepEqual([connector.status, connector.workflow_id], ["active", job_id]);
    assert.deepEqual(await fixture.drift(), []);
  });

  test("a pause that somebody made there can be adopted, and so can its end", async (t) => {
    const { client, create, only, drift } = await start(t);
    const { id } = await create(tickets);
    for (const [live, status] of [
      ["PAUSED", "paused"],
      ["UNPAUSED", "active"],
    ]) {
      only().settings.schedule.pause_status = live;
      const [one] = await drift();
      assert.deepEqual([one?.field, one?.live], ["schedule.pause_status", live]);
      await client.adoptDrift({ params: { drift_id: one?.id ?? "" } });
      assert.equal((await client.getConnector({ params: { connector_id: id } })).status, status);
      assert.deepEqual(await drift(), []);
    }
  });

  test("the schedule of a flow is adopted with its time zone", async (t) => {
    const { client, only, drift } = await start(t);
    const { id } = await client.createFlow({ body: flow, environment: "lake" });
    assert.deepEqual(await drift(), []);
    only().settings.schedule.quartz_cron_expression = "0 0 5 * * ?";
    const [one, ...others] = await drift();
    assert.equal(others.length, 0);
    await client.adoptDrift({ params: { drift_id: one?.id ?? "" } });
    const { definition } = await client.getFlow({ params: { flow_id: id } });
    assert.deepEqual(definition.schedule, { cron: "0 5 * * *", timezone: "Europe/Berlin" });
    assert.deepEqual(await drift(), []);
  });

  test("a changed specification of a pipeline is adopted or put back, and a deleted pipeline is made again", async (t) => {
    const { client, pipelines, drift } = await start(t);
    const body = new TextEncoder().encode("CREATE MATERIALIZED VIEW a AS SELECT 1 AS id");
    const path = "pipelines/orders.sql";
    await client.putFile({ params: { path }, body, environment: "lake" });
    const libraries = [{ file: { path } }];
    const { pipeline_id } = await client.createPipeline({
      body: { name: "orders", libraries, configuration: { region: "eu" } },
      environment: "lake",
    });
    assert.deepEqual(await drift(), []);
    const only = () => [...pipelines.pipelines.values()][0];
    Object.assign(only()?.spec ?? {}, { channel: "PREVIEW", configuration: { region: "us" } });
    const found = await drift();
    assert.deepEqual(found.map(({ field, declared, live, kind }) => [field, declared, live, kind]).sort(), [
      ["channel", "CURRENT", "PREVIEW", "pipeline"],
      ["configuration.region", "eu", "us", "pipeline"],
    ]);
    const idOf = (field: string) => ({ drift_id: found.find((one) => one.field === field)?.id ?? "" });
    await client.adoptDrift({ params: idOf("channel") });
    assert.equal((await client.getPipeline({ params: { pipeline_id } })).channel, "PREVIEW");
    assert.equal(only()?.spec.configuration.region, "us", "the other one stays");
    await client.revertDrift({ params: idOf("configuration.region") });
    assert.equal(only()?.spec.configuration.region, "eu");
    assert.deepEqual(await drift(), []);
    pipelines.pipelines.clear();
    const [gone] = await drift();
    assert.equal(gone?.change, "gone");
    await client.revertDrift({ params: { drift_id: gone?.id ?? "" } });
    assert.equal(only()?.spec.name, "orders");
  });

  test("a restart and a comparison with nothing changed write nothing", async (t) => {
    const fixture = await start(t);
    await fixture.create(tickets);
    await fixture.drift();
    const before = fixture.changes().length;
    const { total } = await fixture.client.listJobs();
    await fixture.crash();
    await fixture.drift();
    assert.deepEqual(fixture.changes().slice(before), []);
    assert.equal((await fixture.client.listJobs()).total, total);
  });

  test("environments of one workspace are compared with one list, and a list that is refused is told", async (t) => {
    const { client, create, workspace, drift } = await start(t);
    await create(tickets);
    await drift();
    const lists = () => workspace.lines().filter((line) => line === "GET /api/2.2/jobs/list").length;
    const before = lists();
    await drift();
    assert.equal(lists() - before, 1);
    const body = { error_code: "PERMISSION_DENIED", message: "No right to list." };
    workspace.fail({ match: "GET /api/2.2/jobs/list", kind: { status: 403, body } });
    await refused(client.checkDrift({ environment: "lake" }), 409, /No right to list/);
  });

  test("a deleted resource leaves no difference behind, and neither does an environment", async (t) => {
    const { client, create, only, drift, workspace, environmentId } = await start(t);
    const first = await create(tickets);
    only().settings.tags.team = "other";
    assert.equal((await drift()).length, 1);
    await client.deleteConnector({ params: { connector_id: first.id } });
    assert.equal((await client.listDrift({})).total, 0);
    const second = await create(tickets);
    only().settings.tags.team = "other";
    assert.equal((await drift()).length, 1);
    const body = { error_code: "PERMISSION_DENIED", message: "No right." };
    workspace.fail({ match: "GET /api/2.2/jobs/get", kind: { status: 403, body } });
    await client.deleteConnector({ params: { connector_id: second.id } });
    await client.deleteSecret({ params: { scope: "shop", key: "api" }, environment: "lake" });
    await client.deleteEnvironment({ params: { environment_id: environmentId } });
    assert.equal((await client.listDrift({})).total, 0);
  });
});
