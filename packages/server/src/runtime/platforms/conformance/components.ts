import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../testing/refusal.ts";
import { unique } from "../../../testing/server.ts";
import type { ResourceSuite } from "./resource-fixture.ts";

/** Checks the state at once, or waits for it where the fixture says that it may take a while. */
const reaches = async (
  state: () => Promise<string | undefined>,
  wanted: string,
  waitMs: number | undefined,
) =>
  waitMs === undefined
    ? assert.equal(await state(), wanted)
    : until(async () => (await state()) === wanted, 1_000, waitMs);

/** Agents and apps: started, asked, changed without a gap, stopped, and gone when they are deleted. */
export function componentTests({ fixture, runs }: ResourceSuite): void {
  test("an agent answers, also while another version is activated, until it is stopped", {
    skip: !runs("agent"),
  }, async (t) => {
    const { client, environment, agent, waitMs } = fixture();
    if (!agent) return t.skip("There is no agent.");
    const { versions, sourcePath, during } = agent;
    const agent_name = unique("desk");
    const { id: agent_id } = await client.createAgent({
      body: { name: agent_name, ...(sourcePath !== undefined && { source_path: sourcePath }) },
    });
    await agent.writeCode?.();
    for (const body of versions) await client.createAgentVersion({ params: { agent_id }, body });
    const activate = (at: 0 | 1) =>
      client.syncAgentRelease({
        body: { agent_name, version: versions[at].version, environment, action: "activate" },
      });
    const body = JSON.stringify({ messages: [{ role: "user", content: "hello" }] });
    const ask = () => client.invokeAgent({ params: { agent_name }, body, environment });
    const state = async () => {
      const { components } = await client.getAgent({ params: { agent_id } });
      return components.find(({ component }) => component === "agent_endpoint")?.observed_state;
    };
    await activate(0);
    await client.retryComponent({ body: { agent_id, component: "agent_endpoint" }, environment });
    await reaches(state, "running", waitMs);
    assert.match(JSON.stringify(await ask()), /hello/);
    await during(
      () => activate(1),
      async () => assert.match(JSON.stringify(await ask()), /hello/),
    );
    await reaches(state, "running", waitMs);
    assert.match(JSON.stringify(await ask()), /hello/);
    await client.stopAgent({ body: { agent_id }, environment });
    await reaches(state, "stopped", waitMs);
    await refused(ask(), 409);
    await client.deleteAgent({ params: { agent_id } });
  });

  test("an app is started once, stopped, started again, and deleted", { skip: !runs("app") }, async (t) => {
    const { client, environment, appPath, waitMs } = fixture();
    if (appPath === undefined) return t.skip("There is no app.");
    const application_name = unique("ui");
    const { id: app_id } = await client.createApp({
      body: { name: application_name, source_path: appPath },
      environment,
    });
    const call = { body: { application_name }, environment };
    const state = async () => (await client.getApp({ params: { app_id } })).observed_state;
    await client.startApp(call);
    await reaches(state, "running", waitMs);
    await client.startApp(call);
    await reaches(state, "running", waitMs);
    await client.stopApp(call);
    await reaches(state, "stopped", waitMs);
    await client.startApp(call);
    await reaches(state, "running", waitMs);
    if (waitMs !== undefined) {
      // A start that takes minutes must not be under way.
      await client.stopApp(call);
      await reaches(state, "stopped", waitMs);
    }
    await client.deleteApp({ params: { app_id } });
    await refused(client.getApp({ params: { app_id } }), 404);
  });
}
