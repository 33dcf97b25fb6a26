import assert from "node:assert/strict";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import type { TestServer } from "../../testing/server.ts";
import { validDesign } from "../automations/test-designs.ts";

/** One resource of every kind in prod; their ids by the names of path parameters. */
export async function populate({ client }: TestServer): Promise<Record<string, string>> {
  const environment = "prod";
  const connector = await client.createConnector({
    body: {
      name: "crm",
      target_type: "csv",
      target_config: null,
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: "orders.csv" }],
    },
    environment,
  });
  const flow = await client.createFlow({ body: endpoints.createFlow.example.body as never, environment });
  const pipeline = await client.createPipeline({
    body: { name: "orders", libraries: [{ file: { path: "pipelines/orders.sql" } }] },
    environment,
  });
  const agent = await client.createAgent({ body: { name: "desk" } });
  await client.createAgentVersion({ params: { agent_id: agent.id }, body: { version: "1.0.0" } });
  await client.syncAgentRelease({
    body: { agent_name: "desk", version: "1.0.0", environment, action: "activate" },
  });
  const app = await client.createApp({ body: { name: "ui" }, environment });
  await client.createAutomation({ body: { alias: "daily", definition: validDesign } });
  await client.syncAutomationRelease({
    body: { automation_alias: "daily", environment, action: "activate", metadata: {} },
  });
  const deployment = await client.createDeployment({ body: { git_branch: "main" }, environment });
  const plan = await client.createPlan({ body: { environment, project: { name: "shop" } } });
  return {
    environment_id: "prod",
    connector_id: connector.id,
    dataset_id: connector.datasets?.[0]?.id ?? "",
    job_id: connector.workflow_id ?? "",
    flow_id: flow.id,
    pipeline_id: pipeline.pipeline_id,
    agent_id: agent.id,
    agent_name: "desk",
    app_id: app.id,
    automation_alias: "daily",
    attempt_id: "a1",
    deployment_id: deployment.id,
    plan_id: plan.id,
    version: "1.0.0",
    action: "pause",
    scope: "shop",
    key: "password",
    path: "notes/readme.md",
    username: "ada@example.test",
  };
}

/** Resources that this test has none of: a request about them is 404 before or after the check. */
const absent = ["binding_id", "delivery_id", "drift_id", "run_id", "user_id", "token_id", "backup_id"];

/** The path of an endpoint with these ids. A parameter without an id fails the test. */
export const pathOf = ({ path }: Endpoint, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\*?\}/g, (_, key: string) => {
    const value = ids[key] ?? (absent.includes(key) ? "none" : undefined);
    assert.ok(value, `The test knows no ${key} of ${path}.`);
    return value;
  });
