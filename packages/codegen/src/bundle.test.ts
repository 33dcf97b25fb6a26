import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { type BundleJob, bundleFile, jobFile } from "./bundle.ts";
import { development, production } from "./testing/contexts.ts";

const job: BundleJob = {
  key: "orders",
  name: "orders",
  about: "Orders.",
  kind: "flow",
  owner: "ada@example.test",
  trigger: { kind: "manual" },
  tasks: [
    { key: "flow", notebook: "src/flow.py" },
    { key: "quality", notebook: "src/quality.py", after: ["flow"], isCheck: true },
  ],
};
const jobOf = (more: Partial<BundleJob> = {}, context = production) =>
  parse(jobFile({ ...job, ...more }, context).content).resources.jobs.orders;
const bundleOf = (context: typeof production) => parse(bundleFile(context).content);

test("a job retries, ends, waits its turn, has an owner and tells somebody of its failure", () => {
  const { tasks, ...settings } = jobOf();
  assert.deepEqual(settings, {
    name: "orders",
    description: "Orders.",
    tags: { kind: "flow", owner: "ada@example.test" },
    max_concurrent_runs: 1,
    queue: { enabled: true },
    timeout_seconds: 21_600,
    email_notifications: { on_failure: ["${var.notification_email}"] },
  });
  assert.deepEqual([tasks[0].max_retries, tasks[0].min_retry_interval_millis], [2, 60_000]);
  // If a check is repeated, it finds the same problem.
  assert.deepEqual([tasks[1].max_retries, tasks[1].disable_auto_optimization], [0, true]);
});

test("a continuous job has no end, queue or retries of its tasks: Databricks refuses them", () => {
  const { continuous, queue, timeout_seconds, tasks } = jobOf({ trigger: { kind: "live" } });
  assert.deepEqual(
    [continuous, queue, timeout_seconds],
    [{ task_retry_mode: "ON_FAILURE" }, undefined, undefined],
  );
  assert.equal(tasks[0].max_retries, undefined);
});

test("without an address in the environment, the owner is notified, if that is an address", () => {
  assert.deepEqual(jobOf({}, development).email_notifications, { on_failure: ["ada@example.test"] });
  assert.equal(jobOf({ owner: "ada" }, development).email_notifications, undefined);
  // An owner is left out if a bundle would replace a part of it, or if it is not a valid tag.
  for (const owner of ["${var.x}@a", "{{job.id}}@a", "a\nb@c", "", " a", "x".repeat(300)]) {
    assert.deepEqual(jobOf({ owner }, development).tags, { kind: "flow" });
  }
});

test("a bundle has a target for development and one for production, each with its own catalog", () => {
  const { variables, targets } = bundleOf(production);
  assert.deepEqual([variables.catalog.default, variables.schema.default], ["shop", "default"]);
  const { dev, prod, ...others } = targets;
  assert.deepEqual(others, {});
  assert.deepEqual(dev, {
    mode: "development",
    default: true,
    workspace: {
      host: "https://shop.cloud.databricks.example",
      root_path:
        "/Workspace/Users/${workspace.current_user.userName}/.bundle/${bundle.name}/${bundle.target}",
    },
    variables: {
      catalog: "shop_dev",
      connection_prefix: "lakehelm_prod__dev",
      reverse_etl_mode: "dry_run",
      // A failure of a developer's copy does not notify the team.
      notification_email: "${workspace.current_user.userName}",
    },
    presets: {
      name_prefix: "[dev ${workspace.current_user.short_name}] ",
      trigger_pause_status: "PAUSED",
      jobs_max_concurrent_runs: 1,
      pipelines_development: true,
      tags: { environment: "dev", managed_by: "lakehelm" },
    },
  });
  assert.deepEqual(
    [prod.mode, prod.default, prod.variables, prod.run_as, prod.permissions, prod.presets],
    [
      "production",
      undefined,
      undefined,
      { service_principal_name: production.runAs },
      [
        { level: "CAN_MANAGE", group_name: "data-team" },
        { level: "CAN_MANAGE", service_principal_name: production.runAs },
      ],
      { tags: { environment: "prod", managed_by: "lakehelm" } },
    ],
  );
});

test("what is known of a development environment holds for its own target", () => {
  const { variables, targets } = bundleOf({
    ...development,
    otherCatalog: "shop_live",
    runAs: "ada@example.test",
  });
  assert.deepEqual(Object.keys(variables), ["catalog", "schema", "connection_prefix", "reverse_etl_mode"]);
  assert.deepEqual(
    [targets.dev.variables, targets.prod.variables],
    [
      undefined,
      { catalog: "shop_live", connection_prefix: "lakehelm_test__prod", reverse_etl_mode: "dry_run" },
    ],
  );
  assert.deepEqual([targets.dev.run_as, targets.prod.run_as], [{ user_name: "ada@example.test" }, undefined]);
  assert.deepEqual(
    [targets.dev.presets.tags.environment, targets.prod.presets.tags.environment],
    ["test", "prod"],
  );
});

test("production is deployed from its branch, and a developer's copy from any", () => {
  const { bundle, targets } = bundleOf(production);
  assert.deepEqual(
    [bundle.git, targets.dev.git, targets.prod.git],
    [{ origin_url: production.git?.repository }, undefined, { branch: "main" }],
  );
  const own = bundleOf({ ...production, mode: "development" });
  assert.deepEqual([own.targets.dev.git, own.targets.prod.git], [undefined, undefined]);
});

test("nobody waits for a schedule, so it takes the cheaper mode of serverless compute", () => {
  const schedule: BundleJob["trigger"] = {
    kind: "schedule",
    schedule: { cron: "0 6 * * *", quartz: "0 0 6 * * ?", timezone: "UTC" },
  };
  assert.equal(jobOf({ trigger: schedule }).performance_target, "STANDARD");
  assert.equal(jobOf({ trigger: { kind: "table_update", tables: ["a.b.c"] } }).performance_target, undefined);
  assert.equal(jobOf({ trigger: schedule, cluster: { num_workers: 1 } }).performance_target, undefined);
});
