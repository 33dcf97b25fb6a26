import assert from "node:assert/strict";
import { type Drift, type Endpoint, endpoints } from "@lakehelm/contract";
import { collection } from "../../core/store/collection.ts";
import { unrecorded } from "../../core/system.ts";
import type { TestServer } from "../../testing/server.ts";

export type Params = Readonly<Record<string, string>>;

/** An environment with one resource of each kind, and the path parameters that name them. */
export async function furnished(
  { client, server }: TestServer,
  name: string,
): Promise<{ id: string; params: Params }> {
  const { id } = await client.createEnvironment({ body: { name } });
  const here = { environment: id };
  const connector = await client.createConnector({
    body: { name: `crm-${name}`, target_type: "warehouse", target_config: null, created_by: "ada" },
    ...here,
  });
  const flow = await client.createFlow({
    body: { ...structuredClone(endpoints.createFlow.example.body), name: `flow-${name}` } as never,
    ...here,
  });
  const libraries = [{ file: { path: "pipelines/orders.sql" } }];
  const pipeline = await client.createPipeline({ body: { name: `p-${name}`, libraries }, ...here });
  const app = await client.createApp({ body: { name: `app-${name}` }, ...here });
  const plan = await client.createPlan({ body: { environment: name, project: { name: "shop" } } });
  const deployment = await client.createDeployment({
    body: endpoints.createDeployment.example.body as never,
    ...here,
  });
  const { binding } = await client.bindChat({ body: { environment: name, channel_id: `c-${name}` } });
  const alias = `automation-${name}`;
  await client.createAutomation({ body: { alias } });
  const release = { automation_alias: alias, environment: name, action: "activate", metadata: {} };
  await client.syncAutomationRelease({ body: release });
  const agentName = `agent-${name}`;
  await client.createAgent({ body: { name: agentName } });
  const { agent } = await client.syncAgentRelease({
    body: { agent_name: agentName, version: "1.0.0", environment: name, action: "activate" },
  });
  // A stored difference, as if the connector had been changed on a platform.
  const drift = {
    ...endpoints.listDrift.example.response.drift[0],
    id: `drift-of-${name}-which-is-long`,
    environment_id: id,
    resource: `connector/${connector.id}`,
  };
  const fresh = {
    id: drift.id,
    key: drift.id,
    doc: drift,
    environmentId: id,
    owner: null,
    state: "{}",
    sealed: null,
  };
  const steps = collection<Drift>(server.store, "drift").insert(fresh);
  await server.store.apply({ context: unrecorded, steps, events: [] });
  const job = connector.workflow_id ?? "";
  const run = await client.runJob({ params: { job_id: job }, body: {} });
  return {
    id,
    params: {
      connector_id: connector.id,
      flow_id: flow.id,
      pipeline_id: String(pipeline.pipeline_id),
      plan_id: plan.id,
      app_id: app.id,
      deployment_id: deployment.id,
      binding_id: binding.id,
      delivery_id: "none",
      backup_id: "none",
      automation_alias: alias,
      attempt_id: "none",
      release_id: "none",
      agent_id: agent.id,
      agent_name: agentName,
      version: "none",
      job_id: job,
      run_id: run.id,
      environment_id: id,
      username: "someone",
      dataset_id: "none",
      drift_id: drift.id,
      update_id: "none",
      user_id: "none",
      token_id: "none",
      action: "pause",
      scope: "shop",
      key: "password",
      path: "notes/a.txt",
    },
  };
}

/** The endpoint's example as a request that concerns one environment. */
export function requestOf({ method, path, body, example }: Endpoint, environment: string, params: Params) {
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => {
    assert.ok(params[name] !== undefined, `the test knows no ${name}`);
    return params[name] as string;
  });
  const sample = structuredClone(example?.body ?? {}) as Record<string, unknown>;
  if ("environment" in sample || path.includes("/chat/")) sample.environment = environment;
  const headers: Record<string, string> = { "x-environment-id": environment };
  const query = path.endsWith("/lineage") ? "?table=main.default.orders" : "";
  if (body === undefined) return { path: filled + query, init: { method, headers } };
  headers["content-type"] = body === "bytes" ? "application/octet-stream" : "application/json";
  return {
    path: filled,
    init: { method, headers, body: body === "bytes" ? "x" : JSON.stringify(sample) },
  };
}
