import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { parse } from "yaml";
import { checkNotebook } from "../evidence/python/notebook-check.ts";
import { automationBundle, automationBundleProblems, cronProblem } from "./bundle.ts";

const definition = (more: object) => AutomationDefinition.check(more, [], []);
const fullDefinition = definition({
  tasks: [
    {
      name: "load",
      kind: "connector",
      reference: "orders in",
      parameters: { day: "{{parameters.day}}" },
      retries: 2,
    },
    {
      name: "count",
      kind: "sql",
      query:
        "use x; select count(*) from orders where d = :d and n > {{parameters.least}} and '{{run.id}}' <> ''",
      depends_on: ["load"],
    },
    {
      name: "notify",
      kind: "http",
      url: "https://example.com/{{run.id}}",
      parameters: {
        headers: { Authorization: "Bearer {{secrets/shop/key}}" },
        body: { n: "{{tasks.count.value}}" },
      },
      depends_on: ["count", "load"],
      run_if: "none_failed",
      condition: { left: "{{tasks.count.value}}", op: ">", right: "10" },
    },
    {
      name: "refresh",
      kind: "pipeline",
      reference: "nightly",
      parameters: { full_refresh: true },
      timeout_seconds: 60,
    },
    {
      name: "ask",
      kind: "agent",
      reference: "order-desk",
      parameters: { input: "{{tasks.notify.output.body.id}} {{tasks.notify.status}}" },
      depends_on: ["notify"],
      condition: { left: "{{tasks.notify.status}}", op: "==", right: "succeeded" },
    },
  ],
  schedule: { cron: "30 5 * * 1-5", timezone: "Europe/Berlin" },
  parameters: { day: "2026-03-01", least: [1, 2] },
});

function jobOf(given: AutomationDefinition) {
  const files = automationBundle("orders-daily", given);
  assert.deepEqual(automationBundleProblems(files), []);
  const job = files.find(({ path }) => path === "resources/automation.job.yml");
  return parse(job?.content ?? "").resources.jobs["orders-daily"];
}

test("a definition becomes a valid bundle with valid notebooks", () => {
  const files = automationBundle("orders-daily", fullDefinition);
  assert.deepEqual(automationBundleProblems(files), []);
  assert.deepEqual(
    files.map(({ path }) => path),
    [
      "databricks.yml",
      "resources/automation.job.yml",
      "src/agent_task.py",
      "src/http_task.py",
      "src/sql_task.py",
      "tasks/count.json",
      "tasks/notify.json",
      "tasks/ask.json",
    ],
  );
  for (const { content } of files.filter(({ fileType }) => fileType === "python")) {
    assert.deepEqual(checkNotebook(content).problems, []);
  }
});

test("a developer's copy runs the developer's copies of other jobs", () => {
  const [main] = automationBundle("orders-daily", fullDefinition);
  const { variables, targets } = parse(main?.content ?? "");
  assert.match(variables.connector_1.lookup.job, /^\$\{var\.name_prefix\}./);
  assert.equal(variables.name_prefix.default, "");
  assert.equal(targets.dev.variables.name_prefix, targets.dev.presets.name_prefix);
  assert.equal(targets.prod.variables, undefined);
});

test("tasks keep their order, conditions, retries and references", () => {
  const { tasks, ...job } = jobOf(fullDefinition);
  assert.deepEqual(job, {
    name: "orders-daily",
    schedule: { quartz_cron_expression: "0 30 5 ? * MON-FRI", timezone_id: "Europe/Berlin" },
    tags: { kind: "automation" },
    max_concurrent_runs: 1,
    queue: { enabled: true },
    parameters: [
      { name: "day", default: "2026-03-01" },
      { name: "least", default: "[1,2]" },
    ],
  });
  const [load, count, condition, notify, refresh, askCondition] = tasks;
  assert.deepEqual(load, {
    task_key: "load",
    run_job_task: { job_id: "${var.connector_1}", job_parameters: { day: "{{job.parameters.day}}" } },
    max_retries: 2,
    min_retry_interval_millis: 10_000,
  });
  assert.deepEqual(count.depends_on, [{ task_key: "load" }]);
  assert.deepEqual(condition, {
    task_key: "notify-if",
    depends_on: [{ task_key: "count" }, { task_key: "load" }],
    run_if: "NONE_FAILED",
    condition_task: { op: "GREATER_THAN", left: "{{tasks.count.values.value}}", right: "10" },
  });
  assert.deepEqual(notify.depends_on, [{ task_key: "notify-if", outcome: "true" }]);
  assert.deepEqual(notify.notebook_task.base_parameters, {
    task_file: "../tasks/notify.json",
    idempotency_key: "{{job.run_id}}/notify",
    run_id: "{{job.run_id}}",
    tasks_count_value: "{{tasks.count.values.value}}",
  });
  assert.deepEqual(refresh.pipeline_task, { pipeline_id: "${var.pipeline_2}", full_refresh: true });
  assert.deepEqual(askCondition.condition_task, {
    op: "EQUAL_TO",
    left: "{{tasks.notify.result_state}}",
    right: "success",
  });
});

test("the file of a task has its request, its placeholders and the values that other tasks use", () => {
  const files = automationBundle("orders-daily", fullDefinition);
  const file = (name: string) =>
    JSON.parse(files.find(({ path }) => path === `tasks/${name}.json`)?.content ?? "");
  assert.deepEqual(file("count"), {
    task: "count",
    kind: "sql",
    statements: [
      "use x",
      "select count(*) from orders where d = :d and n > :filled_1 and '{{run.id}}' <> ''",
    ],
    parameters: { filled_1: "{{parameters.least}}" },
    placeholders: { "{{parameters.least}}": "parameters_least", "{{run.id}}": "run_id" },
    task_values: { value: ["value"] },
  });
  assert.deepEqual(file("notify").task_values, { output_body_id: ["output", "body", "id"] });
  assert.deepEqual(file("notify").placeholders, {
    "{{run.id}}": "run_id",
    "{{tasks.count.value}}": "tasks_count_value",
  });
});

test("the bundle has a paused copy for development with its own catalog, and production", () => {
  const [main] = automationBundle("orders-daily", fullDefinition);
  const { dev, prod } = parse(main?.content ?? "").targets;
  assert.deepEqual([dev.mode, dev.default, prod.mode], ["development", true, "production"]);
  assert.equal(dev.variables.catalog, "main_dev");
  assert.equal(prod.variables, undefined);
  assert.equal(dev.presets.trigger_pause_status, "PAUSED");
  assert.deepEqual(prod.presets, { tags: { environment: "prod", managed_by: "lakehelm" } });
});

test("a trigger becomes its Databricks form", () => {
  const tasks = [{ name: "a", kind: "pipeline", reference: "p" }];
  const waits = { wait_after_last_change_seconds: 5, min_time_between_triggers_seconds: 90 };
  const trigger = (given: object) => jobOf(definition({ tasks, trigger: given }));
  assert.deepEqual(
    trigger({ table_update: { table_names: ["orders", "a.b.c"], condition: "all", ...waits } }).trigger,
    {
      table_update: {
        table_names: ["${var.catalog}.${var.schema}.orders", "a.b.c"],
        condition: "ALL_UPDATED",
        min_time_between_triggers_seconds: 90,
        wait_after_last_change_seconds: 60,
      },
    },
  );
  assert.deepEqual(trigger({ file_arrival: { path: "/Volumes/main/raw/in/" } }).trigger, {
    file_arrival: { url: "/Volumes/main/raw/in/" },
  });
  assert.deepEqual(trigger({ continuous: true }).continuous, { task_retry_mode: "ON_FAILURE" });
});

test("names that a bundle cannot have are problems, or become slugs where they are internal", () => {
  const tasks = [{ name: "a", kind: "sql", query: "select 1" }];
  assert.deepEqual(automationBundleProblems(automationBundle("Täglich 1.2", definition({ tasks }))), []);
  assert.match(
    automationBundleProblems(automationBundle("${var.x}", definition({ tasks }))).join(),
    /^resources\/.*\$\{var\.x\} is an unknown variable/,
  );
  assert.match(
    automationBundleProblems(automationBundle("x", definition({ tasks, parameters: { "a b": 1 } }))).join(),
    /"a b" does not match/,
  );
  assert.match(cronProblem("0 0 1 * 1") ?? "", /create two schedules/);
});

test("a repeated task is a for_each_task, and a called automation a job", () => {
  const { tasks } = jobOf(
    definition({
      parameters: { days: ["2026-03-01"] },
      tasks: [
        { name: "find", kind: "sql", query: "select region from shops" },
        {
          name: "load",
          kind: "automation",
          reference: "load-region",
          depends_on: ["find"],
          for_each: { items: "{{tasks.find.output.rows}}", concurrency: 4 },
          parameters: { region: "{{item.region}}" },
          retries: 2,
        },
        {
          name: "tell",
          kind: "http",
          url: "https://example.test/{{item}}",
          for_each: { items: ["a", "{{run.id}}"] },
        },
        { name: "daily", kind: "sql", query: "select {{item}}", for_each: { items: "{{parameters.days}}" } },
      ],
    }),
  );
  const [, load, tell, daily] = tasks;
  assert.deepEqual(load.for_each_task, {
    inputs: "{{tasks.find.values.items}}",
    concurrency: 4,
    task: {
      task_key: "load-item",
      run_job_task: { job_id: "${var.automation_1}", job_parameters: { region: "{{input.region}}" } },
      max_retries: 2,
      min_retry_interval_millis: 10_000,
    },
  });
  assert.equal(tell.for_each_task.inputs, '["a","{{job.run_id}}"]');
  const { base_parameters } = tell.for_each_task.task.notebook_task;
  assert.deepEqual(
    [base_parameters.item, base_parameters.idempotency_key],
    ["{{input}}", "{{job.run_id}}/tell/{{input}}"],
  );
  assert.equal(daily.for_each_task.inputs, "{{job.parameters.days}}");
});

test("programs are notebooks that get their values as variables", () => {
  const files = automationBundle(
    "orders-daily",
    definition({
      parameters: { day: "" },
      tasks: [
        {
          name: "forecast",
          kind: "python",
          script: "import os\nprint(os.environ['DAY'])\n",
          parameters: { DAY: "{{parameters.day}}", TOKEN: "{{secrets/shop/key}}" },
        },
        { name: "list", kind: "shell", command: ["ls", "{}"], depends_on: ["forecast"] },
      ],
    }),
  );
  assert.deepEqual(automationBundleProblems(files), []);
  const contentOf = (path: string) => files.find((one) => one.path === path)?.content ?? "";
  for (const path of ["src/python_task.py", "src/shell_task.py"]) {
    assert.deepEqual(checkNotebook(contentOf(path)).problems, []);
  }
  const { script, variables, placeholders } = JSON.parse(contentOf("tasks/forecast.json"));
  assert.match(script, /^import os/);
  assert.deepEqual(variables, { DAY: "{{parameters.day}}", TOKEN: "{{secrets/shop/key}}" });
  assert.deepEqual(placeholders, { "{{parameters.day}}": "parameters_day" });
  assert.deepEqual(JSON.parse(contentOf("tasks/list.json")).command, ["ls", "{}"]);
});
