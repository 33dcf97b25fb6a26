import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { selfReadingStatements, waysOfReading } from "@lakehelm/engine/testing";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { flow, startWithWorkspace, tickets } from "../testing/connected-server.ts";

type Definition = Parameters<Client["setDefinition"]>[0]["body"];
type Fixture = Awaited<ReturnType<typeof startWithWorkspace>>;

const alias = "nightly";

const hook = {
  name: "tell",
  kind: "http" as const,
  url: "https://hooks.example.test/{{parameters.region}}",
  parameters: { headers: { Authorization: "{{secrets/shop/api}}" } },
};

const definition = {
  tasks: [
    { name: "load", kind: "connector", reference: "tickets", retries: 2, retry_seconds: 5 },
    { name: "model", kind: "flow", reference: "revenue_by_day", depends_on: ["load"], run_if: "all_done" },
    { name: "refresh", kind: "pipeline", reference: "orders", parameters: { full_refresh: true } },
    {
      name: "count",
      kind: "sql",
      query: "SELECT count(*) FROM sales.orders",
      depends_on: ["model", "refresh"],
      timeout_seconds: 60,
    },
    { name: "ask", kind: "agent", reference: "desk", parameters: { messages: [] } },
    { ...hook, depends_on: ["count"], condition: { left: "{{tasks.count.value}}", op: ">", right: "0" } },
  ],
  schedule: { cron: "0 6 * * 1-5", timezone: "Europe/Berlin" },
  parameters: { region: "eu" },
  timeout_seconds: 3600,
} satisfies Definition;

async function release({ client }: Fixture, body: Definition, version = "1") {
  const { automations } = await client.listAutomations();
  if (automations.length === 0) await client.createAutomation({ body: { alias, definition: body } });
  else await client.setDefinition({ params: { automation_alias: alias }, body });
  return client.syncAutomationRelease({
    body: { automation_alias: alias, environment: "lake", metadata: { version } },
  });
}

/** What the tasks of the definition run. */
async function createParts({ client, create }: Fixture) {
  const connector = await create(tickets);
  const made = await client.createFlow({ body: flow, environment: "lake" });
  await client.createAgent({ body: { name: "desk", source_path: "agents/desk" } });
  const libraries = [{ notebook: { path: "/Workspace/Shared/orders" } }];
  const pipeline = await client.createPipeline({ body: { name: "orders", libraries }, environment: "lake" });
  return { connector, flow: made, pipeline };
}

function jobOf({ jobs }: Fixture) {
  const all = [...jobs.jobs.values()].filter(({ settings }) => settings.name === alias);
  const ours = all.filter(({ settings }) => settings.tags.lakehelm_resource !== undefined);
  assert.equal(ours.length, 1, "there is exactly one job");
  return ours[0] as (typeof ours)[0];
}

for (const engine of enginesOfSlowSuites) {
  suite(`automations in a workspace, ${engine}`, () => {
    test("a release becomes one job whose tasks are ours; a pause is kept by the next release", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { client, objects } = fixture;
      const parts = await createParts(fixture);
      const { release: current } = await release(fixture, definition);
      const { job_id, settings } = jobOf(fixture);
      assert.equal(current?.workflow_id, job_id);
      assert.deepEqual([settings.tags.environment, settings.tags.team], ["lake", "data"]);
      const [load, model, refresh, count, ask, condition, tell] = settings.tasks;
      assert.deepEqual(load, {
        task_key: "load",
        run_job_task: { job_id: JSON.rawJSON(parts.connector.workflow_id ?? "") },
        max_retries: 2,
        min_retry_interval_millis: 5000,
      });
      assert.deepEqual(model, {
        task_key: "model",
        depends_on: [{ task_key: "load" }],
        run_if: "ALL_DONE",
        run_job_task: { job_id: JSON.rawJSON(parts.flow.workflow_id ?? "") },
      });
      const [sent] = fixture.workspace.requests.filter(({ text }) => text.includes('"run_job_task"'));
      assert.ok(sent?.text.includes(`"job_id":${parts.connector.workflow_id}}`), "with all digits");
      assert.deepEqual(refresh.pipeline_task, {
        pipeline_id: parts.pipeline.platform_reference,
        full_refresh: true,
      });
      assert.equal(count.timeout_seconds, 60);
      assert.equal(count.notebook_task.base_parameters.catalog, "shop");
      assert.equal(condition.condition_task.op, "GREATER_THAN");
      assert.deepEqual(tell.depends_on, [{ task_key: "tell-if", outcome: "true" }]);
      for (const { notebook_task } of [count, ask, tell]) {
        assert.ok(objects.objects.has(notebook_task.notebook_path));
        const folder = notebook_task.notebook_path.replace(/\/src\/[^/]+$/, "");
        assert.ok(objects.objects.has(`${folder}/${notebook_task.base_parameters.task_file.slice(3)}`));
      }
      assert.equal(settings.schedule.quartz_cron_expression, "0 0 6 ? * MON-FRI");
      assert.deepEqual(settings.parameters, [{ name: "region", default: "eu" }]);
      assert.equal(settings.timeout_seconds, 3600);
      const texts = [...objects.objects.values()].map(({ content }) => content).join();
      assert.match(texts, /"endpoint": "desk-[0-9a-f]{8}"/, "the serving endpoint of the agent");
      assert.ok(!texts.includes("s3cr3t-9920"), "no secret is in a file");
      const [secret] = [...objects.secrets.keys()].filter((key) => texts.includes(`{{secrets/${key}}}`));
      assert.equal(objects.secrets.get(secret ?? ""), "Bearer s3cr3t-9920");

      const params = { automation_alias: alias, action: "pause" as const };
      await client.setSchedule({ params, environment: "lake", body: { reason: "holidays" } });
      assert.equal(jobOf(fixture).settings.schedule.pause_status, "PAUSED");
      await release(fixture, { ...definition, schedule: { cron: "0 7 * * *", timezone: "UTC" } }, "2");
      const { pause_status, quartz_cron_expression } = jobOf(fixture).settings.schedule;
      assert.deepEqual([pause_status, quartz_cron_expression], ["PAUSED", "0 0 7 * * ?"]);
      assert.equal(jobOf(fixture).job_id, job_id);
      await client.setSchedule({ params: { ...params, action: "resume" }, environment: "lake" });
      assert.equal(jobOf(fixture).settings.schedule.pause_status, "UNPAUSED");

      await client.syncAutomationRelease({
        body: { automation_alias: alias, environment: "lake", action: "delete", metadata: {} },
      });
      assert.ok(![...fixture.jobs.jobs.values()].some(({ settings }) => settings.name === alias));
      const left = [...objects.objects.keys()].filter((path) => path.includes("/automation/"));
      assert.deepEqual(left, []);
    });

    test("the statements of a task are sent as they were written, whatever they read and write", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const queries = selfReadingStatements.flatMap((statement) =>
        waysOfReading.map(({ query }) => statement.sql(query)),
      );
      const query = queries.join(";\n");
      await release(fixture, { tasks: [{ name: "write", kind: "sql", query }] });
      const [file] = [...fixture.objects.objects].filter(([path]) => path.endsWith("/tasks/write.json"));
      assert.deepEqual(JSON.parse(String(file?.[1].content)).statements, queries);
    });

    test("a create whose answer is lost is found by its mark, also after a crash; a stranger's job stays", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { jobs, workspace } = fixture;
      const stranger = { name: alias, tags: { team: "other" }, tasks: [] };
      jobs.jobs.set("7", { job_id: "7", settings: stranger });
      workspace.fail({ match: "POST /api/2.2/jobs/create", kind: "silence", after: true });
      const unanswered = release(fixture, { tasks: [hook], parameters: { region: "eu" } }).catch(() => {});
      await until(() => jobs.jobs.size === 2);
      await fixture.crash();
      await unanswered;
      await until(async () => (await fixture.pending()) === 0);
      const { releases } = await fixture.client.listReleases({ params: { automation_alias: alias } });
      assert.equal(releases[0]?.workflow_id, jobOf(fixture).job_id);
      assert.deepEqual(jobs.jobs.get("7")?.settings, stranger);
      assert.equal(workspace.lines().filter((line) => line === "POST /api/2.2/jobs/create").length, 1);
    });

    test("a run has its parameters and its tasks, and a retry repairs it once", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { jobs, workspace } = fixture;
      await release(fixture, { tasks: [hook], parameters: { region: "eu" } });
      const params = { automation_alias: alias };
      const body = { parameters: { region: "us" } };
      const { id } = await fixture.client.runAutomation({ params, environment: "lake", body });
      const [there] = await until(() => jobs.runs.size > 0 && [...jobs.runs.values()]);
      assert.ok(there);
      const [asked] = workspace.requests.filter(({ line }) => line === "POST /api/2.2/jobs/run-now");
      assert.match(asked?.text ?? "", /"job_parameters":\{"region":"us"\}/);
      jobs.end(there, "RUN_EXECUTION_ERROR", "HTTPError: 500");
      const read = (run_id: string) => fixture.client.getRun({ params: { run_id } });
      await until(async () => (await read(id)).status === "failed");
      const failed = await read(id);
      assert.equal(failed.error, "HTTPError: 500");
      const [task] = failed.metrics.tasks as { name: string; kind: string; status: string; error: string }[];
      assert.deepEqual(
        [task?.name, task?.kind, task?.status, task?.error],
        ["tell", "http", "failed", "HTTPError: 500"],
      );
      // The answer is lost, and the server, too: there is still one repair.
      workspace.fail({ match: "POST /api/2.2/jobs/runs/repair", kind: "silence", after: true });
      const retry = await fixture.client.retryRun({ params: { run_id: id } });
      await until(() => there.repairs.length === 1);
      await fixture.crash();
      await until(async () => (await read(retry.id)).status === "running");
      const repairs = () =>
        workspace.lines().filter((line) => line === "POST /api/2.2/jobs/runs/repair").length;
      assert.equal(repairs(), 1);
      jobs.end(there, "SUCCESS");
      await until(async () => (await read(retry.id)).status === "succeeded");
      const { runs } = await fixture.client.listAutomationRuns({ params, environment: "lake" });
      assert.deepEqual(
        runs.map(({ status, cause }) => [status, cause.trigger]),
        [
          ["succeeded", "retry"],
          ["failed", "manual"],
        ],
      );
      assert.deepEqual([there.repairs.length, jobs.runs.size, repairs()], [1, 1, 1]);
    });
  });
}

suite("automations in a workspace", () => {
  test("what a job there cannot do is refused by the validation and by a release, each with a sentence", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { client, create, jobs } = fixture;
    await create(tickets);
    const wrong = {
      tasks: [
        { name: "load", kind: "connector", reference: "tickets", parameters: { full_refresh: true } },
        { ...hook, retries: 3, max_retry_seconds: 60 },
      ],
      parameters: { region: "eu" },
      trigger: { file_arrival: { path: "/in/*.csv" } },
      max_concurrent_tasks: 1,
    } satisfies Definition;
    const expected = [
      /max_concurrent_tasks is not available there/,
      /cannot wait for files at "\/in\/\*\.csv"/,
      /Task "load": A connector task .* takes no parameters/,
      /Task "tell": The pause between retries does not grow/,
    ];
    await release(fixture, { tasks: [hook], parameters: { region: "eu" } });
    assert.equal(jobs.jobs.size, 2);
    const params = { automation_alias: alias };
    await client.putAttempt({ params: { ...params, attempt_id: "a" }, body: wrong });
    const { validation_errors } = await client.validateArtifacts({
      params,
      body: { attempt_id: "a" },
      environment: "lake",
    });
    for (const pattern of expected)
      assert.ok(
        validation_errors.some((text) => pattern.test(text)),
        `${pattern}`,
      );
    await client.setDefinition({ params, body: wrong });
    const body = { ...params, environment: "lake", metadata: {} };
    for (const pattern of expected) await refused(client.syncAutomationRelease({ body }), 409, pattern);
    const names = [...jobs.jobs.values()].map(({ settings }) => settings.name);
    assert.deepEqual(names, ["tickets"], "the former release does not go on");
  });

  test("while the workspace is unavailable the release waits, and its job is made later", async (t) => {
    const fixture = await startWithWorkspace(t);
    const { workspace, client } = fixture;
    workspace.fail({ match: "POST /api/2.2/jobs/create", kind: { status: 503 } });
    const { release: current } = await release(fixture, { tasks: [hook], parameters: { region: "eu" } });
    assert.equal(current?.workflow_id, null);
    await until(async () => (await fixture.pending()) === 0);
    const { releases } = await client.listReleases({ params: { automation_alias: alias } });
    assert.equal(releases[0]?.workflow_id, jobOf(fixture).job_id);
  });
});
