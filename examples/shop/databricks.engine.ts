/** The same project in an environment of a Databricks workspace, which a stand-in replaces. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import { openProject } from "../../packages/cli/src/project/project.ts";
import { startWithWorkspace } from "../../packages/server/src/runtime/platforms/databricks/testing/connected-server.ts";
import { definitionOf, definitionsOf } from "./definitions.ts";

type Body<Name extends keyof typeof endpoints> = EndpointBodyInput<(typeof endpoints)[Name]>;

test("the definitions of the shop become jobs, a pipeline, an endpoint and an app of a workspace", async (t) => {
  const { client, jobs, pipelines, serving, apps } = await startWithWorkspace(t);
  const here = { environment: "lake" };
  await client.putSecret({ params: { scope: "shop", key: "database" }, body: { value: "pw" }, ...here });
  for (const folder of ["pipelines", "apps/order-desk-ui"]) {
    for (const { name, parentPath } of await readdir(join(import.meta.dirname, folder), {
      withFileTypes: true,
    })) {
      const body = await readFile(join(parentPath, name), "utf8");
      await client.putFile({ params: { path: `${folder}/${name}` }, body, ...here });
    }
  }
  const project = await openProject(import.meta.dirname, { target: "databricks", variables: new Map() });
  assert.deepEqual(project.problems, []);
  assert.ok("target" in project);

  const states: string[] = [];
  for (const { kind, body } of definitionsOf(project)) {
    const { name, status, error_message } = await (kind === "connector"
      ? client.createConnector({ body: { ...body, created_by: "ada" } as Body<"createConnector">, ...here })
      : kind === "flow"
        ? client.createFlow({ body, ...here })
        : client
            .createPipeline({ body, ...here })
            .then(({ name }) => ({ name, status: "active", error_message: null })));
    states.push(`${kind} ${name} ${status} ${error_message ?? ""}`.trim());
  }
  assert.deepEqual(states, [
    "connector orders-in active",
    "connector returns-in active",
    "pipeline sales active",
    "flow customer_value active",
    "connector crm-out active",
  ]);
  const automation = definitionOf(project, "automation", "refresh-sales") as Body<"createAutomation">;
  await client.createAutomation({ body: automation });
  await client.syncAutomationRelease({ body: { automation_alias: automation.alias, environment: "lake" } });

  const { id: agent_id } = await client.createAgent({
    body: definitionOf(project, "agent", "order-desk") as Body<"createAgent">,
  });
  // A workspace serves models, so a user must have registered one there.
  const metadata = { model: "agents.order_desk", model_version: "1" };
  await client.createAgentVersion({ params: { agent_id }, body: { version: "1.0.0", metadata } });
  await client.createApp({
    body: definitionOf(project, "app", "order-desk-ui") as Body<"createApp">,
    ...here,
  });
  const { app } = await client.startApp({ body: { application_name: "order-desk-ui" }, ...here });
  assert.equal(app.observed_state, "running");
  assert.deepEqual(
    [jobs.jobs.size, pipelines.pipelines.size, serving.endpoints.size, apps.apps.size],
    [5, 1, 1, 1],
  );
});
