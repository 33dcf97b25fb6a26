import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";
import { type PlatformResource, platformResources } from "./capabilities.ts";
import { flow } from "./databricks/testing/connected-server.ts";
import { type Platform, RequestPending } from "./platform.ts";

const reason = "The workspace cannot be reached. The server tries again.";
const environment = "away";

interface State {
  readonly status: string | undefined;
  /** For a pipeline the message is an extension, which has no type. */
  readonly message: unknown;
}

interface Kind {
  /** Requests a resource of this kind from the platform. Resolves with a function that reads its state. */
  request(client: Client): Promise<() => Promise<State>>;
  readonly event: string;
  /** The status while the request waits, and afterwards. */
  readonly statuses: readonly [string | undefined, string | undefined];
}

const kinds: Record<PlatformResource, Kind> = {
  connector: {
    async request(client) {
      const body = { name: "orders", target_type: "warehouse", target_config: null, created_by: "ada" };
      const { id: connector_id } = await client.createConnector({ body, environment });
      return async () => {
        const { status, error_message: message } = await client.getConnector({ params: { connector_id } });
        return { status, message };
      };
    },
    event: "connector.waiting",
    statuses: ["created", "active"],
  },
  flow: {
    async request(client) {
      const { id: flow_id } = await client.createFlow({ body: flow, environment, timeoutMs: 120_000 });
      return async () => {
        const { status, error_message: message } = await client.getFlow({ params: { flow_id } });
        return { status, message };
      };
    },
    event: "flow.waiting",
    statuses: ["created", "active"],
  },
  pipeline: {
    async request(client) {
      const body = {
        name: "marts",
        libraries: [{ file: { path: "/Workspace/shop/marts.sql" } }],
        serverless: true,
        catalog: "shop",
        target: "marts",
      };
      const { pipeline_id } = await client.createPipeline({ body, environment });
      return async () => {
        const { error_message: message } = await client.getPipeline({ params: { pipeline_id } });
        return { status: undefined, message };
      };
    },
    event: "pipeline.waiting",
    statuses: [undefined, undefined],
  },
  automation: {
    async request(client) {
      const params = { automation_alias: "daily" };
      const definition = { tasks: [{ name: "count", kind: "sql" as const, query: "select 1" }] };
      await client.createAutomation({ body: { alias: "daily", definition } });
      const { message } = await client.syncAutomationRelease({ body: { ...params, environment } });
      assert.match(message, /^daily .* is current in away, but its job is not installed yet: /);
      assert.ok(message.endsWith(reason));
      return async () => {
        const [release] = (await client.listReleases({ params })).releases;
        return { status: release?.workflow_id ?? "no job", message: release?.error_message ?? null };
      };
    },
    event: "automation.job_waiting",
    statuses: ["no job", "job-1"],
  },
  agent: {
    async request(client) {
      const { id: agent_id } = await client.createAgent({ body: { name: "desk" } });
      await client.retryComponent({ body: { agent_id, component: "agent_endpoint" }, environment });
      return async () => {
        const [component] = (await client.getAgent({ params: { agent_id } })).components;
        return { status: component?.observed_state, message: component?.message };
      };
    },
    event: "agent.component_waiting",
    statuses: ["pending", "running"],
  },
  app: {
    async request(client) {
      const { id: app_id } = await client.createApp({ body: { name: "desk-ui" }, environment });
      const { app } = await client.startApp({ body: { application_name: "desk-ui" }, environment });
      assert.equal(app.message, reason);
      return async () => {
        const { observed_state: status, message } = await client.getApp({ params: { app_id } });
        return { status, message };
      };
    },
    event: "app.waiting",
    statuses: ["pending", "running"],
  },
};

for (const engine of engines) {
  suite(`what waits for a platform that cannot be reached, ${engine}`, () => {
    let server: TestServer;
    let isReachable = false;
    const platform: Platform = {
      name: "far",
      capabilities: { resources: platformResources, connectorTargets: ["warehouse"] },
      async perform() {
        if (!isReachable) throw new RequestPending("The workspace cannot be reached.");
        return { done: true, reference: "job-1" };
      },
    };
    before(async () => {
      server = await startTestServer({ engine, platforms: [platform] });
      await server.client.createEnvironment({ body: { name: environment, platform: "far" } });
    });
    after(() => server.close());

    test("each kind says why, until the platform has done it", async () => {
      const { client, events } = server;
      const started = await Promise.all(
        platformResources.map(async (kind) => ({ kind, read: await kinds[kind].request(client) })),
      );
      for (const { kind, read } of started) {
        const { event, statuses } = kinds[kind];
        assert.deepEqual(await read(), { status: statuses[0], message: reason }, kind);
        const waiting = await events(event);
        assert.equal(waiting.length, 1, `${kind}: the same reason is one event`);
        assert.ok(JSON.stringify(waiting[0]?.data).includes(reason), kind);
      }
      isReachable = true;
      for (const { kind, read } of started) {
        const done = await until(async () => {
          const now = await read();
          return now.message === null ? now : undefined;
        });
        assert.equal(done.status, kinds[kind].statuses[1], kind);
      }
    });

    test("a release that is being removed says why it is still there", async () => {
      const { client } = server;
      const sync = (action: string) =>
        client.syncAutomationRelease({ body: { automation_alias: "daily", environment, action } });
      isReachable = true;
      assert.equal((await sync("activate")).release?.error_message, undefined);
      isReachable = false;
      const { message, release } = await sync("delete");
      assert.match(message, /^daily .* is still being removed from away: The workspace cannot be reached\./);
      assert.equal(release?.error_message, reason);
      isReachable = true;
      await until(async () => {
        const { releases } = await client.listReleases({ params: { automation_alias: "daily" } });
        return releases.length === 0;
      });
    });
  });
}
