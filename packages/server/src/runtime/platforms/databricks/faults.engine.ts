import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { flow, startWithWorkspace, tickets } from "./testing/connected-server.ts";
import type { Fault } from "./testing/faults.ts";

type Fixture = Awaited<ReturnType<typeof startWithWorkspace>>;

/** One resource of each kind. The answers do not matter: some of them come too early. */
async function createAll({ client, create }: Fixture, name: string): Promise<void> {
  const environment = "lake";
  const { id: agent_id } = await client.createAgent({ body: { name } });
  const metadata = { model: "agents.desk", model_version: "1" };
  await client.createAgentVersion({ params: { agent_id }, body: { version: "1.0.0", metadata } });
  const definition = { tasks: [{ name: "count", kind: "sql" as const, query: "SELECT 1 AS n" }] };
  await client.createAutomation({ body: { alias: name, definition } });
  const libraries = [{ notebook: { path: "/Workspace/Shared/orders" } }];
  await Promise.allSettled([
    create({ ...tickets, name }),
    client.createFlow({ body: { ...flow, flow_name: name.replace("-", "_") }, environment }),
    client.createPipeline({ body: { name, libraries }, environment }),
    client.syncAutomationRelease({
      body: { automation_alias: name, environment, metadata: { version: "1" } },
    }),
    client.retryComponent({ body: { agent_id, component: "agent_endpoint" }, environment }),
    client
      .createApp({ body: { name, source_path: "apps/desk" }, environment })
      .then(() => client.startApp({ body: { application_name: name }, environment })),
  ]);
}

/** What the workspace has of each kind: connectors, flows and automations are jobs. */
const counterparts = ({ jobs, pipelines, serving, apps }: Fixture) => ({
  jobs: [...jobs.jobs.values()].map(({ settings }) => settings.tags.lakehelm_resource.split("/")[0]).sort(),
  others: [pipelines.pipelines.size, serving.endpoints.size, apps.apps.size],
});

suite("a workspace that fails, for every kind of resource", () => {
  test("each has one counterpart in the end, and reads never wait", async (t) => {
    let aheadMs = 0;
    const fixture = await startWithWorkspace(t, "sqlite", { now: () => new Date(Date.now() + aheadMs) });
    const { client, workspace } = fixture;
    const settled = () => until(async () => (await fixture.pending()) === 0);
    await client.putFile({
      params: { path: "apps/desk/app.yaml" },
      body: "command: [python, app.py]\n",
      environment: "lake",
    });
    await settled();

    // A fifth of all requests fail, each in another way.
    const ways: readonly Pick<Fault, "kind" | "after">[] = [
      { kind: { status: 429, retryAfter: 0 } },
      { kind: "drop", after: true },
      { kind: { status: 429 } },
      { kind: { status: 503 }, after: true },
      { kind: "html", after: true },
    ];
    workspace.disturb = (number) => (number % 5 === 0 ? ways[(number / 5) % ways.length] : undefined);
    await createAll(fixture, "shop-a");
    await settled();
    assert.deepEqual(counterparts(fixture), {
      jobs: ["automation", "connector", "flow"],
      others: [1, 1, 1],
    });

    // The workspace hangs: requests to it wait, and nothing else does.
    workspace.disturb = () => ({ kind: "silence" });
    const before = workspace.requests.length;
    let isDone = false;
    const creating = createAll(fixture, "shop-b").then(() => {
      isDone = true;
    });
    await until(() => workspace.requests.length > before + 3);
    const here = await client.createConnector({
      body: { name: "here", target_type: "csv", target_config: null, created_by: "ada" },
    });
    await client.getConnector({ params: { connector_id: here.id } });
    await client.listConnectors({});
    await client.listPipelines({});
    await client.listAgents({});
    assert.equal(isDone, false, "reads, and changes in another environment, do not wait for it");

    // Then the workspace is unavailable for an hour.
    workspace.disturb = () => ({ kind: { status: 503, retryAfter: 3600 } });
    workspace.hangUp();
    await creating;
    assert.ok((await fixture.pending()) > 0);
    const { connectors } = await client.listConnectors({});
    assert.equal(connectors.find(({ name }) => name === "shop-b")?.status, "created");
    aheadMs += 3_600_000;
    workspace.disturb = undefined;
    // A change notices the new time.
    await client.putSecret({ params: { scope: "clock", key: "now" }, body: { value: "later" } });
    await settled();
    assert.deepEqual(counterparts(fixture), {
      jobs: ["automation", "automation", "connector", "connector", "flow", "flow"],
      others: [2, 2, 2],
    });
  });
});
