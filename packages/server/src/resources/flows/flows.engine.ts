/** Flows as resources: created, validated, installed, paused and removed. Tests of the engine cover their runs. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { refused } from "../../testing/refusal.ts";
import {
  done,
  lineOf,
  type RemotePlatform,
  refusing,
  startRemotePlatform,
} from "../../testing/remote-platform.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";

type FlowDefinition = Omit<
  ConsumptionFlowInput,
  "type" | "emit_surrogate_key" | "table_properties" | "target_schema"
> & {
  target_schema: { description: string; columns: { name: string; type: string; pk?: boolean }[] };
};

const revenue = (more: Partial<FlowDefinition> = {}): FlowDefinition => ({
  flow_name: "revenue",
  source_tables: ["orders"],
  target_name: "marts.revenue",
  trigger_type: "manual",
  matched_sql: "select order_date, sum(amount) as revenue from orders group by order_date",
  target_schema: {
    description: "Revenue by day",
    columns: [
      { name: "order_date", type: "date", pk: true },
      { name: "revenue", type: "decimal(18,2)" },
    ],
  },
  requested_by: "ada@example.com",
  ...more,
});

for (const engine of enginesOfSlowSuites) {
  suite(`flows on ${engine}`, () => {
    let remote: RemotePlatform;
    let server: TestServer;
    before(async () => {
      remote = await startRemotePlatform("remote");
      server = await startTestServer({ engine, platforms: [remote.platform] });
    });
    after(async () => {
      await server.close();
      await remote.close();
    });

    async function given(platform = "embedded") {
      remote.reply = () => done;
      const { client } = server;
      const configuration = { catalog: "shop", schema: "sales" };
      const body = { name: unique("here"), platform, configuration };
      const { id: environment } = await client.createEnvironment({ body });
      return {
        client,
        environment,
        create: (more: Partial<FlowDefinition> = {}) =>
          client.createFlow({ body: revenue(more), environment }),
      };
    }
    const kindsOf = async (id: string) =>
      (await server.events(undefined, `flow/${id}`)).map(({ kind }) => kind);
    const jobOf = (id: string) => server.client.getJob({ params: { job_id: `flow-${id}` } });

    test("a created flow is active and has a job", async () => {
      const { client, environment, create } = await given();
      const created = await create();
      assert.deepEqual(
        [created.name, created.environment_id, created.status, created.workflow_id, created.error_message],
        ["revenue", environment, "active", `flow-${created.id}`, null],
      );
      assert.equal(created.definition.type, "consumption", "with the defaults filled in");
      assert.deepEqual(await client.getFlow({ params: { flow_id: created.id } }), created);
      assert.deepEqual(await client.listFlows({ environment }), { flows: [created], total: 1 });
      assert.deepEqual(await kindsOf(created.id), ["flow.created"]);
      const job = await jobOf(created.id);
      assert.deepEqual([job.kind, job.subject, job.name], ["flow", `flow/${created.id}`, "revenue"]);
      assert.deepEqual(job.definition.trigger, { kind: "manual" });
    });

    test("a flow's job is triggered by its schedule or by the tables that it reads", async () => {
      const { create } = await given();
      const schedule = { cron: "0 6 * * *", timezone: "Europe/Berlin" };
      const scheduled = await create({ flow_name: "a", trigger_type: "scheduled", schedule });
      assert.deepEqual((await jobOf(scheduled.id)).definition.trigger, { kind: "cron", ...schedule });
      const triggered = await create({
        flow_name: "b",
        trigger_type: "table_update",
        source_tables: ["Orders", "shop.sales.orders", "marts.revenue_unmatched"],
      });
      assert.deepEqual((await jobOf(triggered.id)).definition.trigger, {
        kind: "table_update",
        tables: ["shop.sales.orders"],
        condition: "any",
        quiet_seconds: 0,
        minimum_seconds: 0,
      });
    });

    test("a definition without valid generated code is 409 with every problem", async () => {
      const { client, environment, create } = await given();
      const wrong = create({ trigger_type: "sometimes", matched_sql: "select order_dat from orders" });
      const { detail } = await refused(wrong, 409, /trigger_type: "sometimes" is not known/);
      assert.match(detail, /matched_sql/);
      await refused(client.createFlow({ body: { flow_name: "x" } as FlowDefinition, environment }), 422);
      assert.equal((await client.listFlows({ environment })).total, 0);
    });

    test("a flow's name is unique in its environment", async () => {
      const here = await given();
      await here.create();
      await refused(here.create(), 409, /There is already a flow named "revenue" in the environment "here-/);
      const there = await given();
      assert.equal((await there.create()).status, "active");
    });

    test("a repeated request with the same Idempotency-Key creates one flow", async () => {
      const { client, environment } = await given();
      const call = { body: revenue(), environment, idempotencyKey: unique("key") };
      const created = await client.createFlow(call);
      assert.deepEqual(await client.createFlow(call), created);
      assert.equal((await client.listFlows({ environment })).total, 1);
    });

    test("a new definition updates the flow and its job; the same definition changes nothing", async () => {
      const { client, create } = await given();
      const { id } = await create();
      const params = { flow_id: id };
      const { etag } = await client.withResponse.getFlow({ params });
      const same = await client.withResponse.updateFlow({ params, body: revenue() });
      assert.equal(same.etag, etag);
      const schedule = { cron: "30 7 * * *", timezone: "UTC" };
      const body = revenue({ flow_name: "by day", trigger_type: "scheduled", schedule });
      const changed = await client.updateFlow({ params, body, ...(etag && { ifMatch: etag }) });
      assert.deepEqual(
        [changed.name, changed.status, changed.updated_by],
        ["by day", "active", "internal-service"],
      );
      assert.equal((await jobOf(id)).name, "by day");
      await refused(client.updateFlow({ params, body: revenue(), ...(etag && { ifMatch: etag }) }), 412);
      await refused(client.updateFlow({ params, body: revenue({ scd_type: 9 }) }), 409, /scd_type/);
      assert.deepEqual(await kindsOf(id), ["flow.created", "flow.updated"]);
    });

    test("a flow is paused and resumed with its job; the pause has an actor, a reason and an end", async () => {
      const { client, create } = await given();
      const { id } = await create();
      const params = { flow_id: id };
      const until = "2999-03-02T00:00:00.000Z";
      const paused = await client.pauseFlow({ params, body: { reason: "audit", until } });
      assert.equal(paused.status, "paused");
      const { paused: pause } = await jobOf(id);
      assert.deepEqual([pause?.by, pause?.reason, pause?.until], ["internal-service", "audit", until]);
      assert.deepEqual(await client.pauseFlow({ params }), paused, "a second pause changes nothing");
      await client.pauseFlow({ params, body: { reason: "longer" } });
      const { paused: longer } = await jobOf(id);
      assert.deepEqual([longer?.reason, longer?.until], ["longer", null]);
      assert.equal(
        (await client.updateFlow({ params, body: revenue({ cluster_by: ["order_date"] }) })).status,
        "paused",
      );
      assert.equal((await client.resumeFlow({ params })).status, "active");
      assert.equal((await jobOf(id)).paused, null);
      assert.deepEqual(await kindsOf(id), [
        "flow.created",
        "flow.paused",
        "flow.paused",
        "flow.updated",
        "flow.resumed",
      ]);
    });

    test("deleting a flow deletes its job", async () => {
      const { client, create } = await given();
      const { id } = await create();
      const params = { flow_id: id };
      assert.deepEqual(await client.deleteFlow({ params }), {
        success: true,
        message: "Flow revenue deleted. The table marts.revenue stays.",
      });
      await refused(client.getFlow({ params }), 404, `There is no flow ${id}.`);
      await refused(jobOf(id), 404);
      for (const call of [client.deleteFlow, client.pauseFlow, client.resumeFlow])
        await refused(call({ params }), 404);
    });

    test("a remote platform gets its request after the commit; if it refuses, the flow is stored as failed", async () => {
      const { client, create } = await given("remote");
      const created = await create();
      assert.equal(created.status, "active");
      assert.equal(lineOf(remote.requests.at(-1) ?? assert.fail()), `job.install flow/${created.id}`);
      remote.reply = () => refusing("The quota is used up.");
      const failed = await create({ flow_name: "other" });
      assert.deepEqual([failed.status, failed.error_message], ["failed", "The quota is used up."]);
      assert.deepEqual(await kindsOf(failed.id), ["flow.created", "flow.failed"]);
      await refused(
        client.pauseFlow({ params: { flow_id: failed.id } }),
        409,
        /A flow with the status failed cannot be paused/,
      );
      remote.reply = () => done;
      const body = revenue({ flow_name: "other" });
      const again = await client.updateFlow({ params: { flow_id: failed.id }, body });
      assert.equal(again.status, "active", "a failed request is repeated");
    });

    test("an environment with a flow cannot be deleted", async () => {
      const { client, environment, create } = await given();
      await create();
      await refused(
        client.deleteEnvironment({ params: { environment_id: environment } }),
        409,
        /still has resources/,
      );
    });

    test("a pause ends at its time", async (t) => {
      let time = "2026-03-01T12:00:00.000Z";
      const now = () => new Date(time);
      const {
        client,
        server: clocked,
        close,
      } = await startTestServer({ engine, platforms: [remote.platform], now });
      t.after(close);
      remote.reply = () => done;
      await client.createEnvironment({ body: { name: "far", platform: "remote" } });
      const { id } = await client.createFlow({ body: revenue(), environment: "far" });
      const params = { flow_id: id };
      await client.pauseFlow({ params, body: { until: "2999-01-01T00:00:00Z" } });
      time = "2998-12-31T23:59:59.999Z";
      await clocked.tick();
      assert.equal((await client.getFlow({ params })).status, "paused");
      time = "2999-01-01T00:00:00.000Z";
      await clocked.tick();
      assert.equal((await client.getFlow({ params })).status, "active");
      assert.equal(lineOf(remote.requests.at(-1) ?? assert.fail()), `job.resume flow/${id}`);
    });
  });
}
