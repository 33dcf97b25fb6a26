import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Connector } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { enginesOfSlowSuites } from "../../../../testing/server.ts";
import { type ConnectorBody, file, flow, startWithWorkspace, tickets } from "../testing/connected-server.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`runs in a workspace, ${engine}`, () => {
    test("a run is started once, followed over a crash, and ends with what the task says", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { jobs, workspace } = fixture;
      const { id, workflow_id } = await fixture.create(tickets);
      const params = { job_id: workflow_id ?? "" };
      // The answer is lost: the token finds the same run.
      workspace.fail({ match: "POST /api/2.2/jobs/run-now", kind: "drop", after: true });
      const { id: run_id, job_id } = await fixture.client.runJob({ params, body: {} });
      assert.equal(job_id, `connector-${id}`);
      const [there] = await until(() => jobs.runs.size > 0 && [...jobs.runs.values()]);
      assert.ok(there);
      assert.equal(there.token, run_id);
      const runs = async () => (await fixture.client.listRunsOfJob({ params })).runs;
      await until(async () => "databricks" in ((await runs())[0]?.metrics ?? {}));
      await fixture.crash();
      await until(async () => (await runs())[0]?.status === "running");
      jobs.end(there, "RUN_EXECUTION_ERROR", "ValueError: the column is missing");
      await until(async () => (await runs())[0]?.status === "failed");
      const [run, ...others] = await runs();
      assert.ok(run);
      assert.deepEqual(others, []);
      assert.equal(run.error, "ValueError: the column is missing");
      assert.equal((run.metrics.databricks as { run_id: string }).run_id, there.run_id);
      const { lines } = await fixture.client.readRunLog({ params: { run_id } });
      assert.ok(lines.some(({ line }) => line === "Task ingest: RUN_EXECUTION_ERROR."));
      const { status, error_message } = await fixture.client.getConnector({ params: { connector_id: id } });
      assert.deepEqual([status, error_message], ["failing", run.error]);
    });

    test("runs that the schedule started are recorded once, also those that ended meanwhile", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { jobs } = fixture;
      const { workflow_id } = await fixture.create(tickets);
      const job = fixture.only();
      jobs.end(jobs.begin(job, "PERIODIC"), "SUCCESS");
      const active = jobs.begin(job, "PERIODIC");
      const params = { job_id: workflow_id ?? "" };
      const runs = async () => (await fixture.client.listRunsOfJob({ params })).runs;
      const statuses = async () => (await runs()).map(({ status }) => status);
      await until(async () => (await statuses()).sort().join() === "running,succeeded");
      await fixture.crash();
      jobs.end(active, "USER_CANCELED");
      jobs.end(jobs.begin(job, "PERIODIC"), "MAX_CONCURRENT_RUNS_EXCEEDED");
      await until(async () => (await statuses()).sort().join() === "cancelled,skipped,succeeded");
      for (const { cause, kind, name } of await runs()) {
        assert.deepEqual([cause.trigger, cause.by, kind, name], ["cron", null, "connector", "tickets"]);
      }
    });
  });
}

suite("runs in a workspace", () => {
  test("a run that is cancelled here is cancelled there", async (t) => {
    const { client, create, jobs } = await startWithWorkspace(t);
    const { workflow_id } = await create(tickets);
    const params = { job_id: workflow_id ?? "" };
    const { id: run_id } = await client.runJob({ params, body: {} });
    await until(() => jobs.runs.size > 0);
    await client.cancelRun({ params: { run_id } });
    await until(async () => (await client.getRun({ params: { run_id } })).status === "cancelled");
    assert.deepEqual(
      [...jobs.runs.values()].map(({ code }) => code),
      ["USER_CANCELED"],
    );
  });

  test("a run of a connector there takes all parameters that it takes elsewhere, and one of a flow its business date", async (t) => {
    const { client, create: begin, jobs, workspace } = await startWithWorkspace(t);
    // A busy machine installs the job after the answer.
    const create = async (body: ConnectorBody) => {
      const { id } = await begin(body);
      return until(async () => {
        const read = await client.getConnector({ params: { connector_id: id } });
        return read.workflow_id === null ? undefined : read;
      });
    };
    const custom_config = { watermark_column: "changed_at" };
    const dataset = {
      source_dataset: "tickets",
      target_name: "bronze.tickets",
      primary_keys: ["id"],
      custom_config,
    };
    const imported = await create({
      ...tickets,
      datasets: [dataset, { ...dataset, source_dataset: "users", target_name: "bronze.users" }],
    });
    const { datasets } = imported;
    const params = { job_id: imported.workflow_id ?? "" };
    const refusedWith = (parameters: object, status: number, pattern: RegExp) =>
      refused(client.runJob({ params, body: { parameters: { ...parameters } } }), status, pattern);
    await refusedWith({ full_refesh: true }, 422, /not known/);
    const sentWith = async (parameters: object, { workflow_id } = imported) => {
      const { size } = jobs.runs;
      const params = { job_id: workflow_id ?? "" };
      await client.runJob({ params, body: { parameters: { ...parameters } } });
      await until(() => jobs.runs.size > size);
      const { text } = workspace.requests.findLast(({ line }) => line.endsWith("/jobs/run-now")) ?? {};
      for (const run of jobs.runs.values()) jobs.end(run, "SUCCESS");
      return JSON.parse(text ?? "").job_parameters;
    };
    const [, users] = datasets ?? [];
    assert.deepEqual(await sentWith({ datasets: ["bronze.tickets", users?.id], full_refresh: false }), {
      datasets: '["bronze.tickets","bronze.users"]',
    });
    assert.deepEqual(await sentWith({ reset_watermark: true }), { reset_watermark: "true" });
    assert.deepEqual(await sentWith({ full_refresh: true }), { full_refresh: "true" });
    assert.deepEqual(await sentWith({ window: { from: "2026-01-01", to: "2026-02-01" } }), {
      window: '{"from":"2026-01-01","to":"2026-02-01"}',
    });
    // The code of an import keeps no rejected rows: there are none to repeat.
    assert.deepEqual(await sentWith({ retry_rejects: true }), {});
    const plain = await create({ ...tickets, name: "plain" });
    assert.deepEqual(await sentWith({ reset_watermark: true }, plain), { reset_watermark: "true" });
    const files = await create({ ...file, execution_mode: "manual" });
    assert.deepEqual(await sentWith({ full_refresh: true }, files), { full_refresh: "true" });
    const toDatabase = (write_strategy: "upsert" | "append", target_type = "postgresql") =>
      create({
        ...tickets,
        name: `${write_strategy} to ${target_type}`,
        target_type,
        target_config:
          target_type === "http"
            ? { url: "https://crm.example.test/hook" }
            : { host: "crm.example.test", database: "crm", user: "crm", password: "x" },
        datasets: [{ ...dataset, write_strategy, target_name: "tickets" }],
      });
    const upserted = await toDatabase("upsert");
    const window = { from: "2026-01-01", to: "2026-02-01" };
    assert.deepEqual(await sentWith({ full_refresh: true, retry_rejects: true }, upserted), {
      full_refresh: "true",
      retry_rejects: "true",
    });
    assert.deepEqual(await sentWith({ window }, upserted), { window: JSON.stringify(window) });
    const appended = await toDatabase("append");
    assert.deepEqual(await sentWith({ full_refresh: true }, appended), { full_refresh: "true" });
    const refuses = (job: Connector, parameters: Record<string, unknown>, status: number, sentence: RegExp) =>
      refused(
        client.runJob({ params: { job_id: job.workflow_id ?? "" }, body: { parameters } }),
        status,
        sentence,
      );
    await refuses(appended, { reset_watermark: true }, 409, /append all of its rows again. Use full_refresh/);
    await refuses(appended, { window }, 422, /A window of an export needs the write_strategy "upsert"/);
    const endpoint = await toDatabase("upsert", "http");
    assert.deepEqual(await sentWith({ retry_rejects: true }, endpoint), { retry_rejects: "true" });
    await refuses(endpoint, { full_refresh: true }, 422, /sent to an HTTP endpoint/);
    const before = jobs.runs.size;
    const made = await client.createFlow({ body: flow, environment: "lake" });
    await client.runJob({
      params: { job_id: made.workflow_id ?? "" },
      body: { parameters: { business_date: "2026-01-31" } },
    });
    await until(() => jobs.runs.size > before);
    const sent = workspace.requests.findLast(({ line }) => line.endsWith("/jobs/run-now"));
    assert.match(sent?.text ?? "", /"job_parameters":\{"business_date":"2026-01-31"\}/);
    const ofFlow = { job_id: made.workflow_id ?? "" };
    await refused(
      client.runJob({ params: ofFlow, body: { parameters: { max_delete_share: 1 } } }),
      409,
      /has no parameter max_delete_share\. Set max_delete_share of the flow/,
    );
  });
});
