import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../testing/refusal.ts";
import { unique } from "../../../testing/server.ts";
import type { ResourceSuite } from "./resource-fixture.ts";
import { ended } from "./test-connector.ts";

/** Flows, pipelines and automations: installed once, run, paused, and gone with everything when they are deleted. */
export function workTests({ fixture, runs }: ResourceSuite): void {
  test("a flow has one job, whose pause a change of it keeps, and which a deletion removes", {
    skip: !runs("flow"),
  }, async (t) => {
    const { client, environment, flow } = fixture();
    if (!flow) return t.skip("There is no flow.");
    const body = { ...flow, flow_name: unique("flow") };
    const created = await client.createFlow({ body, environment });
    assert.equal(created.error_message, null);
    const params = { flow_id: created.id };
    const job = { job_id: created.workflow_id ?? "" };
    await client.pauseFlow({ params, body: { reason: "stocktaking" } });
    assert.equal((await client.getJob({ params: job })).paused?.reason, "stocktaking");
    const changed = await client.updateFlow({ params, body: { ...body, schedule: { cron: "0 7 * * *" } } });
    assert.deepEqual([changed.workflow_id, changed.error_message], [created.workflow_id, null]);
    const { paused, definition } = await client.getJob({ params: job });
    assert.deepEqual([paused?.reason, definition.trigger.kind], ["stocktaking", "cron"]);
    await client.deleteFlow({ params });
    await refused(client.getJob({ params: job }), 404);
  });

  test("an update of a pipeline starts once and ends, and deleting the pipeline ends everything of it", {
    skip: !runs("pipeline"),
  }, async (t) => {
    const { client, environment, pipeline, waitMs } = fixture();
    if (!pipeline) return t.skip("There is no pipeline.");
    const body = { ...pipeline, name: unique("pipeline") };
    const { pipeline_id, error_message } = await client.createPipeline({ body, environment });
    assert.equal(error_message, null);
    const params = { pipeline_id };
    const { update_id } = await client.startPipelineUpdate({ params, body: {} });
    const update = await until(
      async () => {
        const found = await client.getPipelineUpdate({ params: { pipeline_id, update_id } });
        return ["COMPLETED", "FAILED", "CANCELED"].includes(found.state) ? found : undefined;
      },
      undefined,
      waitMs,
    );
    assert.deepEqual([update.state, update.error], ["COMPLETED", null]);
    assert.deepEqual(
      (await client.listPipelineUpdates({ params })).updates.map((one) => one.update_id),
      [update_id],
    );
    await client.deletePipeline({ params });
    await refused(client.getPipeline({ params }), 404);
  });

  test("a release of an automation is one job, which the next release keeps, and which ends with it", {
    skip: !runs("automation"),
  }, async (t) => {
    const { client, environment, automation, waitMs } = fixture();
    if (!automation) return t.skip("There is no automation.");
    const automation_alias = unique("nightly");
    await client.createAutomation({ body: { alias: automation_alias, definition: automation } });
    const release = (version: string) =>
      client.syncAutomationRelease({ body: { automation_alias, environment, metadata: { version } } });
    const { release: first } = await release("1");
    const params = { automation_alias };
    const run = await client.runAutomation({ params, environment });
    const { status, error } = await ended(client, run, waitMs);
    assert.deepEqual([status, error], ["succeeded", null]);
    const { release: second } = await release("2");
    assert.equal(second?.workflow_id, first?.workflow_id);
    assert.deepEqual(
      (await client.listAutomationRuns({ params, environment })).runs.map(({ id }) => id),
      [run.id],
    );
    await client.syncAutomationRelease({ body: { automation_alias, environment, action: "delete" } });
    await client.deleteAutomation({ params });
    await refused(client.getJob({ params: { job_id: first?.workflow_id ?? "" } }), 404);
  });
}
