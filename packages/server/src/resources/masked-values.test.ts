import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { secretMask as mask } from "@lakehelm/contract/connections";
import { refused } from "../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../testing/server.ts";

const libraries = [{ jar: "a.jar" }];

for (const engine of engines) {
  suite(`masked values on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    test("a mask with nothing stored behind it is 409 on every resource that stores secrets", async () => {
      const { client } = server;
      const connector = (target_config: Record<string, unknown>) =>
        client.createConnector({
          body: { name: unique("c"), target_type: "postgresql", target_config, created_by: "ada" },
        });
      const nothing = /\*{8}/;
      await refused(connector({ host: "db", password: mask }), 409, nothing);
      await refused(connector({ connection: { headers: [{ name: "Cookie", value: mask }] } }), 409, nothing);
      await refused(
        client.createEnvironment({ body: { name: unique("e"), configuration: { api_token: mask } } }),
        409,
        nothing,
      );
      await refused(
        client.createPipeline({ body: { name: unique("p"), libraries, configuration: { api_token: mask } } }),
        409,
        nothing,
      );
      const agent = await client.createAgent({ body: { name: unique("agent") } });
      const version = { version: "1", metadata: { token: mask } };
      await refused(
        client.createAgentVersion({ params: { agent_id: agent.id }, body: version }),
        409,
        nothing,
      );
      const tasks = [
        {
          name: "a",
          kind: "http" as const,
          url: "https://example.com/",
          parameters: { headers: { Cookie: mask } },
        },
      ];
      await refused(
        client.createAutomation({ body: { alias: unique("a"), definition: { tasks } } }),
        409,
        nothing,
      );
      const alias = unique("a");
      await client.createAutomation({ body: { alias } });
      await refused(
        client.setDefinition({ params: { automation_alias: alias }, body: { tasks } }),
        409,
        nothing,
      );
      const bound = { environment: "local", channel_id: unique("C"), metadata: { signing_secret: mask } };
      await refused(client.bindChat({ body: bound }), 409, nothing);
      await refused(client.bindChat({ body: { ...bound, metadata: {}, channel_url: mask } }), 409, nothing);
      await refused(
        client.putSecret({ params: { scope: "s", key: "k" }, body: { value: mask } }),
        409,
        nothing,
      );
    });

    test("a mask in the parameters of a run is 409", async () => {
      const { client } = server;
      const alias = unique("a");
      const definition = { tasks: [{ name: "a", kind: "sql" as const, query: "select 1" }] };
      await client.createAutomation({ body: { alias, definition } });
      await client.syncAutomationRelease({ body: { automation_alias: alias, environment: "local" } });
      await refused(
        client.runAutomation({
          params: { automation_alias: alias },
          body: { parameters: { password: mask } },
        }),
        409,
        /looks like a secret/,
      );
    });

    test("a pipeline's notifications keep their secrets when they are reordered, removed and added", async () => {
      const { client } = server;
      const hook = (name: string, token: string) => ({ name, url: `https://${name}.example.com`, token });
      const { pipeline_id } = await client.createPipeline({
        body: { name: unique("p"), libraries, notifications: [hook("a", "token-a"), hook("b", "token-b")] },
      });
      const params = { pipeline_id };
      const change = (notifications: object[]) =>
        client.updatePipeline({
          params,
          body: { notifications: notifications as Record<string, unknown>[] },
        });
      const [a, b, c] = ["a", "b", "c"].map((name) => hook(name, mask)) as [object, object, object];
      await change([b, a]);
      assert.deepEqual((await client.getPipeline({ params })).notifications, [b, a]);
      await change([b]);
      await refused(change([a]), 409, /no secret is stored there/);
      await refused(change([b, c]), 409, /no secret is stored there/);
      await change([hook("c", "token-c"), b]);
      await change([b]);
    });

    test("a connector's and an environment's lists keep their secrets by identity", async () => {
      const { client } = server;
      const header = (name: string, value: string) => ({ name, value });
      const config = (...headers: object[]) => ({ url: "https://example.com/", headers });
      const { id } = await client.createConnector({
        body: {
          name: unique("c"),
          target_type: "other",
          target_config: config(header("X-One", "secret-1"), header("X-Two", "secret-2")),
          created_by: "ada",
        },
      });
      const update = (target_config: Record<string, unknown>) =>
        client.updateConnector({ params: { connector_id: id }, body: { target_config } });
      const [one, two] = [header("X-One", mask), header("X-Two", mask)];
      const { target_config } = await update(config(two, one));
      assert.deepEqual(target_config, config(two, one));
      await refused(update(config(header("X-Three", mask), one)), 409);
      const environment = await client.createEnvironment({
        body: {
          name: unique("e"),
          configuration: { tokens: ["t-1", "t-2"], list: [{ key: "a", secret: "s" }] },
        },
      });
      const patch = (configuration: Record<string, unknown>) =>
        client.updateEnvironment({ params: { environment_id: environment.id }, body: { configuration } });
      await refused(patch({ tokens: [mask] }), 409, /no secret is stored there/);
      await refused(patch({ list: [{ key: "b", secret: mask }] }), 409, /no secret is stored there/);
      await patch({
        tokens: [mask, mask],
        list: [
          { key: "b", secret: "new" },
          { key: "a", secret: mask },
        ],
      });
    });
  });
}
