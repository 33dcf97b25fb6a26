/**
 * The same names in several environments: a release refers to the resources of its own environment, and may start
 * paused.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { ended, tasksOf } from "./test-automations.ts";
import { validDesign } from "./test-designs.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`promotion on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    async function twoEnvironments() {
      const { client } = server;
      const [dev, prod] = [unique("dev"), unique("prod")];
      for (const name of [dev, prod]) {
        await client.createEnvironment({
          body: { name, configuration: { catalog: "shop", schema: "sales" } },
        });
      }
      return { client, dev, prod };
    }

    /** A connector, a flow and a pipeline of the same names in every environment. */
    async function install(environment: string, more: { paused?: boolean } = {}) {
      const { client } = server;
      const connector = await client.createConnector({
        body: {
          name: "orders-in",
          target_type: "warehouse",
          target_config: null,
          created_by: "ada",
          ...more,
        },
        environment,
      });
      const flow = await client.createFlow({ body: { ...revenue, ...more }, environment });
      const pipeline = await client.createPipeline({
        body: {
          name: "numbers",
          libraries: [{ file: { path: "pipelines/numbers.sql" } }],
          continuous: true,
          ...more,
        },
        environment,
      });
      return { connector, flow, pipeline };
    }

    test("#3 for an environment reports what is missing there, and a release runs what is there", async () => {
      const { client, dev, prod } = await twoEnvironments();
      const params = { automation_alias: unique("orders-daily") };
      const tasks = [
        { name: "load", kind: "connector" as const, reference: "orders-in" },
        { name: "publish", kind: "flow" as const, reference: "revenue", depends_on: ["load"] },
        { name: "count", kind: "pipeline" as const, reference: "numbers", depends_on: ["load"] },
      ];
      await client.createAutomation({ body: { alias: params.automation_alias } });
      await client.putAttempt({ params: { ...params, attempt_id: "one" }, body: { tasks } });
      const problemsIn = async (environment: string) => {
        const body = { attempt_id: "one" };
        return (await client.validateArtifacts({ params, body, environment })).validation_errors?.map(
          (text) => text.replace(/^definition\.yaml:\d+:\d+: /, ""),
        );
      };
      await install(dev, { paused: true });

      assert.deepEqual(await problemsIn(dev), []);
      assert.deepEqual(await problemsIn(prod), [
        `Task "load" refers to the connector "orders-in", which does not exist in ${prod}.`,
        `Task "publish" refers to the flow "revenue", which does not exist in ${prod}.`,
        `Task "count" refers to the pipeline "numbers", which does not exist in ${prod}.`,
      ]);

      const { connector } = await install(prod, { paused: true });
      assert.deepEqual(await problemsIn(prod), []);

      await client.syncAutomationRelease({
        body: { ...params, environment: prod, metadata: { attempt_id: "one" } },
      });
      const { id } = await client.runAutomation({ params, environment: prod, body: {} });
      const [load] = tasksOf(await ended(server, id));
      const child = await client.getRun({ params: { run_id: load?.run_id ?? "" } });
      assert.equal(child.job_id, connector.workflow_id);
    });

    test("a copy starts paused if asked, and an operator starts it", async () => {
      const { client, prod: environment } = await twoEnvironments();
      const { connector, flow, pipeline } = await install(environment, { paused: true });

      assert.deepEqual([connector.status, flow.status], ["paused", "paused"]);
      assert.equal(pipeline.stopped?.reason, "It was created as paused.");
      const { jobs } = await client.listJobs({ environment });
      assert.deepEqual(
        jobs.map(({ paused }) => paused?.reason),
        Array(3).fill("It was created as paused."),
      );
      assert.deepEqual((await client.listRuns({ environment })).runs, []);
      assert.equal((await client.resumeFlow({ params: { flow_id: flow.id } })).status, "active");
    });

    test("#9 starts a new release as paused if asked; repeating the call does not pause it again", async () => {
      const { client, prod: environment } = await twoEnvironments();
      const params = { automation_alias: unique("orders-daily") };
      await client.createAutomation({ body: { alias: params.automation_alias, definition: validDesign } });
      const sync = (version: string, paused?: boolean) =>
        client.syncAutomationRelease({
          body: { ...params, environment, metadata: { version }, ...(paused !== undefined && { paused }) },
        });
      const state = async () => {
        const { schedules, releases } = await client.getAutomation({ params });
        const job = await client.getJob({ params: { job_id: releases[0]?.workflow_id ?? "" } });
        return [schedules[0]?.state, job.paused !== null];
      };
      const resume = () => client.setSchedule({ params: { ...params, action: "resume" }, environment });

      await sync("1", true);
      assert.deepEqual(await state(), ["paused", true]);
      const paused = await server.events("automation.schedule_paused");
      assert.equal(paused.at(-1)?.data.reason, "It was created as paused.");

      await resume();
      await sync("1", true);
      assert.deepEqual(await state(), ["active", false], "the release is current already");

      await sync("2", true);
      assert.deepEqual(await state(), ["paused", true], "a new release over one that runs");
      await sync("3", false);
      assert.deepEqual(await state(), ["paused", true], "a pause outlives a release");
      await resume();
      await sync("4");
      assert.deepEqual(await state(), ["active", false]);
      await refused(sync("5", "soon" as never), 409, "paused must be true or false.");
    });
  });
}

const revenue = {
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
};
