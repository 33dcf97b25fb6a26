import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import { automationBundle } from "./automations/bundle.ts";
import { deploymentOf } from "./deployment.ts";
import { templates } from "./templates.ts";
import { artifactsFor } from "./testing/responses.ts";

const folder = "/Workspace/Shared/lakehelm/x";
const target = "prod";

suite("a generated bundle as one job", () => {
  test("has absolute paths of notebooks, and the values of the environment", async () => {
    const flow = templates.find(({ name }) => name === "consumption-scd1");
    const artifacts = await artifactsFor(flow?.path ?? "", flow?.example ?? {});
    const { files, settings } = deploymentOf(artifacts, { folder, target });
    assert.deepEqual(
      files.map(({ path, isNotebook }) => [path, isNotebook]),
      [
        ["src/flows/orders_enriched/ddl.sql", false],
        ["src/flows/orders_enriched/flow", true],
        ["src/flows/orders_enriched/quality", true],
        ["src/flows/orders_enriched/flow.json", false],
      ],
    );
    const { tasks, trigger, tags, parameters } = settings as unknown as {
      tasks: { notebook_task: { notebook_path: string } }[];
      trigger: unknown;
      tags: unknown;
      parameters: unknown;
    };
    assert.deepEqual(
      tasks.map(({ notebook_task }) => notebook_task.notebook_path),
      [`${folder}/src/flows/orders_enriched/flow`, `${folder}/src/flows/orders_enriched/quality`],
    );
    assert.deepEqual(trigger, {
      table_update: { table_names: ["shop.sales.orders", "shop.sales.customers"], condition: "ANY_UPDATED" },
    });
    assert.deepEqual(tags, {
      environment: "prod",
      managed_by: "lakehelm",
      kind: "flow",
      owner: "ada@example.com",
    });
    assert.deepEqual(parameters, [
      { name: "catalog", default: "shop" },
      { name: "full_refresh", default: "false" },
      { name: "discard_history", default: "false" },
      { name: "max_row_count_drift", default: "0.5" },
    ]);
  });

  test("can be made of every template with a job, and nothing is left to be filled in", async () => {
    for (const { path, example } of templates.filter(({ name }) => name !== "alter-metadata")) {
      const { settings } = deploymentOf(await artifactsFor(path, example), { folder, target });
      assert.doesNotMatch(JSON.stringify(settings), /\$\{/);
    }
  });

  test("takes the ids of other jobs as variables; one that is missing is an error", () => {
    const tasks = [{ name: "load", kind: "connector", reference: "orders" }];
    const artifacts = automationBundle("daily", AutomationDefinition.check({ tasks }, [], []));
    const variables = { connector_1: "7", catalog: "shop" };
    const { settings } = deploymentOf(artifacts, { folder, target, variables });
    const [task] = settings.tasks as { run_job_task: object }[];
    assert.deepEqual(task?.run_job_task, { job_id: "7" });
    assert.throws(() => deploymentOf(artifacts, { folder, target }), /\$\{var\.connector_1\}, which has no/);
  });
});
