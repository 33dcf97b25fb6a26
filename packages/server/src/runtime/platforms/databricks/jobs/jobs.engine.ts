import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { appliedPlan } from "../../../../resources/plans/test-plans.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { type ConnectorBody, file, flow, startWithWorkspace, tickets } from "../testing/connected-server.ts";

const needsSecret = {
  target_config: {
    connection: {
      type: "rest",
      config: { url: "https://api.example.test/v2", headers: { Authorization: "{{secrets/shop/later}}" } },
    },
  },
};

for (const engine of enginesOfSlowSuites) {
  suite(`jobs in a workspace, ${engine}`, () => {
    test("a connector becomes its files, its secrets and one job; deleting it removes all of them", async (t) => {
      const { client, create, objects, only, jobs } = await startWithWorkspace(t, engine);
      const created = await create(tickets);
      assert.deepEqual([created.status, created.error_message], ["active", null]);
      const { job_id, settings } = only();
      assert.equal(created.workflow_id, job_id, "all digits of an id beyond 2^53");
      assert.equal(settings.name, "tickets");
      assert.deepEqual(settings.schedule, {
        quartz_cron_expression: "0 */15 * * * ?",
        timezone_id: "UTC",
        pause_status: "UNPAUSED",
      });
      assert.equal(settings.tags.lakehelm_resource, `connector/${created.id}`);
      assert.equal(settings.tags.team, "data");
      const [{ notebook_task }] = settings.tasks;
      const notebook = objects.objects.get(notebook_task.notebook_path);
      assert.equal(notebook?.type, "NOTEBOOK");
      const values = [...objects.secrets.values()].sort();
      assert.deepEqual(values, ["Bearer s3cr3t-9920", "k-literal-7711"]);
      const texts =
        [...objects.objects.values()].map(({ content }) => content).join() + JSON.stringify(settings);
      for (const value of values) assert.ok(!texts.includes(value), "no secret is in a file or in the job");
      for (const name of objects.secrets.keys()) {
        const [scope, key] = name.split("/");
        assert.ok(notebook?.content.includes(`secret("${scope}", "${key}")`));
      }
      // The job is found by both ids.
      for (const job of [job_id, `connector-${created.id}`]) {
        const { id, definition } = await client.getJob({ params: { job_id: job } });
        assert.deepEqual([id, definition.trigger.kind], [`connector-${created.id}`, "cron"]);
      }

      await client.deleteConnector({ params: { connector_id: created.id } });
      assert.deepEqual([jobs.jobs.size, objects.objects.size, objects.secrets.size], [0, 0, 0]);
      assert.equal((await client.listJobs()).total, 0);
    });

    test("a plan installs again what could not be installed, once the reason is gone", async (t) => {
      const { client, jobs } = await startWithWorkspace(t, engine);
      const { name, created_by: _, ...definition } = { ...tickets, ...needsSecret };
      const plan = () =>
        client.createPlan({
          body: {
            environment: "lake",
            project: { name: "shop" },
            resources: [{ kind: "connector", name, definition: { name, ...definition } }],
          },
        });
      const failed = await appliedPlan(client, (await plan()).id);
      assert.match(failed.steps[0]?.error ?? "", /no secret shop\/later/);
      const secret = { params: { scope: "shop", key: "later" }, body: { value: "v" }, environment: "lake" };
      await client.putSecret(secret);
      const again = await plan();
      assert.deepEqual(
        again.steps.map(({ action, changes }) => [action, changes.length]),
        [["update", 0]],
      );
      assert.match(
        again.steps[0]?.reasons[0] ?? "",
        /refused it, so it is applied again: .*no secret shop\/later/,
      );
      assert.equal((await appliedPlan(client, again.id)).status, "applied");
      assert.equal(jobs.jobs.size, 1);
      assert.deepEqual((await plan()).steps, []);
    });

    test("a create whose answer is lost is found by its mark, also after a crash; a stranger's job stays", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { jobs, workspace } = fixture;
      const stranger = { name: "tickets", tags: { team: "other" }, tasks: [] };
      jobs.jobs.set("7", { job_id: "7", settings: stranger });
      workspace.fail({ match: "POST /api/2.2/jobs/create", kind: "silence", after: true });
      const unanswered = fixture.create(tickets).catch((error) => error);
      await until(() => jobs.jobs.size === 2);
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pending()) === 0);
      assert.equal(jobs.jobs.size, 2);
      const ours = [...jobs.jobs.values()].find(({ job_id }) => job_id !== "7");
      const [connector] = (await fixture.client.listConnectors()).connectors;
      assert.deepEqual([connector?.status, connector?.workflow_id], ["active", ours?.job_id]);
      assert.deepEqual(jobs.jobs.get("7")?.settings, stranger);
      assert.equal(workspace.lines().filter((line) => line === "POST /api/2.2/jobs/create").length, 1);
    });
  });
}

suite("jobs in a workspace", () => {
  test("a flow becomes a job with its notebook and the task that checks its quality", async (t) => {
    const { client, only, objects, jobs, workspace } = await startWithWorkspace(t);
    const created = await client.createFlow({ body: flow, environment: "lake" });
    assert.deepEqual([created.status, created.error_message], ["active", null]);
    const { settings, job_id } = only();
    assert.equal(created.workflow_id, job_id);
    assert.equal(settings.schedule.timezone_id, "Europe/Berlin");
    assert.deepEqual(
      settings.tasks.map(({ task_key }: { task_key: string }) => task_key),
      ["flow", "quality"],
    );
    for (const { notebook_task } of settings.tasks)
      assert.ok(objects.objects.has(notebook_task.notebook_path));
    // A flow that the workspace refuses does not go on with its former definition, and leaves nothing.
    workspace.fail({ match: "POST /api/2.2/jobs/reset", kind: { status: 400 } });
    const params = { flow_id: created.id };
    const changed = await client.updateFlow({ params, body: { ...flow, requested_by: "bob@example.test" } });
    assert.deepEqual([changed.status, changed.workflow_id], ["failed", null]);
    assert.deepEqual([jobs.jobs.size, objects.objects.size], [0, 0]);
    await client.deleteFlow({ params });
    assert.equal((await client.listJobs()).total, 0);
  });

  test("SELECT * takes the target's columns by name; personal columns are looked up when it runs", async (t) => {
    const { client, create, only, objects, jobs, unity } = await startWithWorkspace(t);
    // The catalog knows the table, and no tag of it yet.
    unity.schemas.add("shop.sales");
    unity.tables.set("shop.sales.customers", { comment: "", columns: [{ name: "email", type: "STRING" }] });
    const star = { ...flow, matched_sql: "SELECT * FROM shop.sales.orders" };
    const created = await client.createFlow({ body: star, environment: "lake" });
    assert.deepEqual([created.status, created.error_message], ["active", null]);
    const notebook = () =>
      objects.objects.get(only().settings.tasks[0].notebook_task.notebook_path)?.content ?? "";
    assert.match(notebook(), /SELECT \* FROM /);
    await client.deleteFlow({ params: { flow_id: created.id } });
    const outbound = {
      ...tickets,
      target_type: "http",
      target_config: { url: "https://hooks.example.test/customers" },
      datasets: [
        {
          source_dataset: "shop.sales.customers",
          target_name: "customers",
          write_strategy: "append",
          custom_config: { pii_suppressed: true },
        },
      ],
    } satisfies ConnectorBody;
    const { status, error_message } = await create(outbound);
    assert.deepEqual([status, error_message], ["active", null]);
    assert.equal(jobs.jobs.size, 1);
    assert.match(notebook(), /information_schema\.column_tags/);
  });

  test("each mode of a connector is a schedule, a trigger, a continuous job or none", async (t) => {
    const { create, jobs } = await startWithWorkspace(t);
    const watched = { table_names: ["sales.orders"], condition: "all", wait_after_last_change_seconds: 5 };
    const bodies = [
      { ...tickets, name: "by hand", execution_mode: "manual" },
      { ...tickets, name: "always", execution_mode: "live" },
      { ...tickets, name: "tables", execution_mode: "table_update", table_update_config: watched },
      file,
    ] as const satisfies ConnectorBody[];
    for (const body of bodies) {
      const { status, error_message } = await create(body);
      assert.deepEqual([status, error_message], ["active", null]);
    }
    const started = [...jobs.jobs.values()].map(({ settings: { schedule, trigger, continuous } }) => ({
      schedule,
      trigger,
      continuous,
    }));
    const pause_status = "UNPAUSED";
    assert.deepEqual(JSON.parse(JSON.stringify(started)), [
      {},
      { continuous: { task_retry_mode: "ON_FAILURE", pause_status } },
      {
        trigger: {
          table_update: {
            table_names: ["shop.sales.orders"],
            condition: "ALL_UPDATED",
            wait_after_last_change_seconds: 60,
          },
          pause_status,
        },
      },
      { trigger: { file_arrival: { url: "/Volumes/shop/landing/exports/" }, pause_status } },
    ]);
  });

  test("a pause is kept by a change, and ends with a resume", async (t) => {
    const { client, create, only } = await startWithWorkspace(t);
    const { id } = await create(tickets);
    const params = { connector_id: id };
    await client.pauseConnector({ params });
    assert.equal(only().settings.schedule.pause_status, "PAUSED");
    assert.notEqual((await client.getJob({ params: { job_id: `connector-${id}` } })).paused, null);
    await client.updateConnector({ params, body: { schedule_cron: "0 5 * * *", name: "tickets 2" } });
    const { name, schedule } = only().settings;
    assert.deepEqual(
      [name, schedule.quartz_cron_expression, schedule.pause_status],
      ["tickets 2", "0 0 5 * * ?", "PAUSED"],
    );
    await client.resumeConnector({ params });
    assert.equal(only().settings.schedule.pause_status, "UNPAUSED");
  });

  test("what cannot be said there is refused with a sentence, and what is wrong is, too", async (t) => {
    const { create, jobs } = await startWithWorkspace(t);
    const cases: [Partial<ConnectorBody>, RegExp][] = [
      [
        {
          datasets: tickets.datasets.map((one) => ({
            ...one,
            custom_config: { deletes: true, watermark_lag: 60, on_added_column: "backfill" },
          })),
        },
        /watermark_lag is not available.*deletes is not available.*on_added_column is not available/s,
      ],
      [{ datasets: [] }, /has no datasets/],
      [{ schedule_cron: "0 0 1 * 1" }, /create two schedules/],
      [{ ...file, file_arrival_config: { path: "/in/*.csv" } }, /cannot wait for files at "\/in/],
    ];
    for (const [more, expected] of cases) {
      const { status, error_message } = await create({
        ...tickets,
        ...more,
        name: `refused ${cases.length} ${expected.source.slice(0, 9)}`,
      });
      assert.equal(status, "failed");
      assert.match(error_message ?? "", expected);
    }
    assert.equal(jobs.jobs.size, 0);
  });

  test("while the workspace is unavailable the caller gets the connector, and it is installed later", async (t) => {
    const { create, workspace, client, only, pending } = await startWithWorkspace(t);
    workspace.fail({ match: "POST /api/2.2/jobs/create", kind: { status: 503 } });
    const { id, status } = await create(tickets);
    assert.equal(status, "created");
    await until(async () => (await pending()) === 0);
    const { status: later, workflow_id } = await client.getConnector({ params: { connector_id: id } });
    assert.deepEqual([later, workflow_id], ["active", only().job_id]);
  });

  test("a connector that is deleted before its job was confirmed leaves nothing behind", async (t) => {
    const { create, workspace, client, jobs, objects, pending } = await startWithWorkspace(t);
    workspace.fail({ match: "POST /api/2.2/jobs/create", kind: "drop", after: true });
    const { id } = await create(tickets);
    assert.equal(jobs.jobs.size, 1);
    await client.deleteConnector({ params: { connector_id: id } });
    await until(async () => (await pending()) === 0);
    assert.deepEqual([jobs.jobs.size, objects.objects.size, objects.secrets.size], [0, 0, 0]);
  });

  test("a job that somebody deleted is made again by the next change; one that is not ours is never reset", async (t) => {
    const { create, client, jobs, only } = await startWithWorkspace(t);
    const { id, workflow_id } = await create(tickets);
    const params = { connector_id: id };
    jobs.jobs.clear();
    const foreign = { job_id: String(workflow_id), settings: { name: "other", tags: {}, tasks: [] } };
    jobs.jobs.set(foreign.job_id, foreign);
    const updated = await client.updateConnector({ params, body: { schedule_cron: "0 5 * * *" } });
    assert.equal(updated.status, "active");
    assert.notEqual(updated.workflow_id, workflow_id);
    assert.equal(foreign.settings.name, "other");
    jobs.jobs.delete(foreign.job_id);
    assert.equal(only().job_id, updated.workflow_id);
  });
});
