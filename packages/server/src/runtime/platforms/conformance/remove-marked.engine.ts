import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { createSystem } from "../../../core/system.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { startWithWorkspace, tickets } from "../databricks/testing/connected-server.ts";
import { createWorkspaces } from "../databricks/workspaces.ts";
import { removeMarked } from "./remove-marked.ts";

test("everything of an environment is removed from a workspace by its mark, and nothing of others", async (t) => {
  const fixture = await startWithWorkspace(t);
  const { client, create, jobs, objects, pipelines, apps, serving, environmentId, configuration } = fixture;
  await create({ ...tickets, name: "conformance-1" });
  const stranger = { tags: { lakehelm_environment: "another" }, name: "conformance-1" };
  jobs.jobs.set("77", { job_id: "77", settings: stranger });
  const libraries = [{ notebook: { path: "/Workspace/Shared/orders" } }];
  await client.createPipeline({ body: { name: "conformance-2", libraries }, environment: "lake" });
  await client.putFile({
    params: { path: "apps/desk/app.yaml" },
    body: "command: [python, app.py]\n",
    environment: "lake",
  });
  await client.createApp({ body: { name: "desk-ui", source_path: "apps/desk" }, environment: "lake" });
  await client.startApp({ body: { application_name: "desk-ui" }, environment: "lake" });
  const { id } = await client.createAgent({ body: { name: "desk" } });
  const metadata = { model: "agents.desk", model_version: "1" };
  await client.createAgentVersion({ params: { agent_id: id }, body: { version: "1.0.0", metadata } });
  await client.retryComponent({
    body: { agent_id: id, component: "agent_endpoint" },
    environment: "lake",
  });
  await until(async () => (await fixture.pending()) === 0);
  const sizes = () => [pipelines.pipelines.size, apps.apps.size, serving.endpoints.size, objects.scopes.size];
  assert.deepEqual(sizes(), [1, 1, 1, 1]);

  const workspaces = createWorkspaces({
    system: createSystem(),
    outbound: createOutbound({ allowsPrivate: true, privateAddresses: [] }),
    allowsHttp: true,
    environment: async () =>
      (await client.getEnvironment({ params: { environment_id: environmentId } })) as never,
    configurationOf: async () => configuration,
    secretOf: async () => undefined,
  });
  const { client: workspace } = await workspaces.open(environmentId);
  await removeMarked(workspace, { environment: environmentId, root: "/Workspace/Shared/lakehelm" });
  assert.deepEqual(sizes(), [0, 0, 0, 0]);
  assert.deepEqual([...jobs.jobs.keys()], ["77"]);
  assert.equal(objects.objects.size, 0);
});
