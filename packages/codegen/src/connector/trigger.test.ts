import assert from "node:assert/strict";
import { test } from "node:test";
import { computeOf } from "./compute.ts";
import { triggerOf } from "./trigger.ts";

const none = { tables: [], folder: null };

test("each execution mode has its trigger", () => {
  const schedule = { cron: "0 6 * * 1-5", quartz: "0 0 6 ? * MON-FRI", timezone: "UTC" };
  const batch = triggerOf({ execution_mode: "batch", schedule_cron: "0 6 * * 1-5" }, none, "UTC");
  assert.deepEqual(batch.trigger, { kind: "schedule", schedule });
  assert.equal(
    triggerOf({ execution_mode: "batch" }, none, "UTC").started,
    "It has no schedule and is started by hand.",
  );
  assert.equal(triggerOf({ execution_mode: "live" }, none, "UTC").trigger.kind, "live");
  assert.equal(triggerOf({ execution_mode: "manual" }, none, "UTC").trigger.kind, "manual");
  const tables = ["main.gold.orders"];
  const update = triggerOf({ execution_mode: "table_update" }, { ...none, tables }, "UTC");
  assert.deepEqual(update.trigger, { kind: "table_update", tables });
  const folder = "abfss://in@account.dfs.core.windows.net/orders";
  const files = triggerOf({ execution_mode: "file_arrival" }, { ...none, folder }, "UTC");
  assert.deepEqual([files.trigger, files.problems], [{ kind: "file_arrival", url: `${folder}/` }, []]);
});

test("a schedule is in the environment's time zone", () => {
  const request = { execution_mode: "batch", schedule_cron: "0 6 * * *" };
  const { trigger, started } = triggerOf(request, none, "Europe/Berlin");
  assert.equal(trigger.kind === "schedule" && trigger.schedule.timezone, "Europe/Berlin");
  assert.equal(started, "It runs at 0 6 * * * (Europe/Berlin).");
  assert.match(
    triggerOf(request, none, "Mars/Base").problems.join(),
    /^The environment's configuration\.timezone: .*Mars\/Base/,
  );
  // Without a schedule the time zone is ignored.
  assert.deepEqual(triggerOf({ execution_mode: "manual" }, none, "Mars/Base").problems, []);
});

for (const [mode, cron, watched, expected] of [
  ["hourly", undefined, none, /"hourly" is not one of batch, table_update, file_arrival, live, manual/],
  ["batch", "every day", none, /^schedule_cron: /],
  ["manual", "61 * * * *", none, /^schedule_cron: /],
  ["table_update", undefined, none, /needs lakehouse tables as sources/],
  ["file_arrival", undefined, none, /needs a connection of type files/],
  ["file_arrival", undefined, { ...none, folder: "/tmp/x" }, /expected a volume/],
  ["file_arrival", undefined, { ...none, folder: "/Volumes/a/${var.x}" }, /which a bundle replaces/],
] as const) {
  test(`refused: ${mode} with ${cron ?? "no cron"} on ${JSON.stringify(watched)}`, () => {
    const request = { execution_mode: mode, schedule_cron: cron };
    assert.match(triggerOf(request, watched, "UTC").problems.join("\n"), expected);
  });
}

const cluster = { spark_version: "16.4.x-scala2.12", node_type_id: "m5.large", num_workers: 2 };

test("serverless compute has no cluster, anything else has one", () => {
  assert.deepEqual(computeOf({}), { cluster: undefined, problems: [] });
  assert.deepEqual(computeOf({ compute_type: "serverless", cluster_config: {} }), {
    cluster: undefined,
    problems: [],
  });
  // Without an access mode, a job cluster could not read tables of Unity Catalog.
  const own = { ...cluster, data_security_mode: "SINGLE_USER" };
  assert.deepEqual(computeOf({ cluster_config: cluster }), { cluster: own, problems: [] });
  assert.deepEqual(computeOf({ compute_type: "job_cluster", cluster_config: cluster }), {
    cluster: own,
    problems: [],
  });
  const shared = { ...cluster, data_security_mode: "USER_ISOLATION" };
  assert.deepEqual(computeOf({ cluster_config: shared }).cluster, shared);
  const policy = { policy_id: "ABC" };
  assert.deepEqual(computeOf({ cluster_config: policy }), { cluster: policy, problems: [] });
});

for (const [request, expected] of [
  [{ compute_type: "serverless", cluster_config: cluster }, /serverless compute has no cluster/],
  [{ compute_type: "cluster" }, /"cluster" needs a cluster_config/],
  [{ cluster_config: { ...cluster, autotermination_minutes: 10 } }, /"autotermination_minutes" is not known/],
  [
    { cluster_config: { num_workers: 1 } },
    /spark_version: it is required[\s\S]*node_type_id or instance_pool_id/,
  ],
  [{ cluster_config: { ...cluster, custom_tags: { a: "${var.x}" } } }, /which a bundle would replace/],
] as const) {
  test(`refused: ${JSON.stringify(request)}`, () => {
    assert.match(computeOf(request).problems.join("\n"), expected);
  });
}
