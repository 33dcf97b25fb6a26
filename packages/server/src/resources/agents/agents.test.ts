import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { query } from "../../testing/store.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";
const deployer = { PLATFORM_CLIENT_ID: "deployer", PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz" };

for (const engine of engines) {
  suite(`agents on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, settings: deployer });
    });
    after(() => server.close());

    const named = async (name: string) => {
      const { agents } = await server.client.listAgents({ query: { limit: 1000 } });
      return agents.filter((agent) => agent.name === name || agent.aliases.includes(name));
    };

    test("secrets in a version's metadata are masked in the response and stored encrypted", async () => {
      const value = unique("s3cret");
      const { id: agent_id } = await server.client.createAgent({ body: { name: unique("agent") } });
      const body = { version: "1", metadata: { api_key: value, note: "kept" } };
      const made = await server.client.createAgentVersion({ params: { agent_id }, body });
      assert.deepEqual(made.metadata, { api_key: "********", note: "kept" });
      assert.doesNotMatch(JSON.stringify(await server.rows()), new RegExp(value));
    });

    test("an agent is read by its id, its name and its aliases", async () => {
      const { client } = server;
      const [name, one, two] = [unique("order-desk"), unique("orders"), unique("bestell/ung ü")];
      const made = await client.createAgent({ body: { name, aliases: [one, two] } });
      for (const agent_id of [made.id, name, one, two]) {
        assert.deepEqual(await client.getAgent({ params: { agent_id } }), made);
      }
      await refused(client.getAgent({ params: { agent_id: "nobody" } }), 404, 'There is no agent "nobody".');
      const { agents, total } = await client.listAgents();
      assert.equal(agents.length, total);
      assert.deepEqual(agents.at(-1), made, "oldest first");
    });

    test("names and aliases of all agents share one namespace", async () => {
      const { client } = server;
      const [a, b, c, d] = ["a", "b", "c", "d"].map(unique) as [string, string, string, string];
      await client.createAgent({ body: { name: a, aliases: [b, b, a] } });
      for (const body of [{ name: a }, { name: b }, { name: c, aliases: [a] }, { name: d, aliases: [b] }]) {
        await refused(client.createAgent({ body }), 409, /already an agent with the name or alias/);
      }
      assert.equal((await named(c)).length + (await named(d)).length, 0);
      const [agent, ...others] = await named(a);
      assert.deepEqual([agent?.aliases, others], [[b], []]);
      // The names of a rejected agent are still free.
      await client.createAgent({ body: { name: c, aliases: [d] } });
    });

    test("of concurrent requests for one name, one succeeds", async () => {
      const { client } = server;
      const same = unique("same");
      const bodies = Array.from({ length: 12 }, (_, n) =>
        n % 2 ? { name: same } : { name: unique("other"), aliases: [same] },
      );
      const ended = await Promise.allSettled(bodies.map((body) => client.createAgent({ body })));
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
      assert.equal((await named(same)).length, 1);
    });

    test("concurrent requests with the same Idempotency-Key create one agent or version and get the same response", async () => {
      const { client } = server;
      const name = unique("once");
      const create = { body: { name }, idempotencyKey: name };
      const made = await Promise.all([1, 2, 3, 4].map(() => client.createAgent(create)));
      for (const one of made) assert.deepEqual(one, made[0]);
      assert.equal((await named(name)).length, 1);
      assert.equal((await server.events("agent.created", `agent/${made[0]?.id}`)).length, 1);

      const version = { params: { agent_id: name }, body: { version: "1" }, idempotencyKey: name };
      const versions = await Promise.all([1, 2, 3, 4].map(() => client.createAgentVersion(version)));
      for (const one of versions) assert.deepEqual(one, versions[0]);
      assert.equal((await client.listAgentVersions({ params: { agent_id: name } })).total, 1);
    });

    test("only an admin may set a source_path", async () => {
      const body = { client_id: deployer.PLATFORM_CLIENT_ID, client_secret: deployer.PLATFORM_CLIENT_SECRET };
      const { access_token } = await server.client.exchangeToken({ body });
      const operator = createClient({ baseUrl: server.url, token: access_token, retries: 0 });
      const source_path = "agents/order-desk";
      const { id } = await operator.createAgent({ body: { name: unique("order-desk"), source_path: null } });
      const name = unique("x");
      for (const call of [
        () => operator.createAgent({ body: { name, source_path } }),
        () => operator.createAgentVersion({ params: { agent_id: id }, body: { version: "1", source_path } }),
        () => operator.createApp({ body: { name, source_path } }),
      ]) {
        await refused(call(), 403);
      }
      const made = await server.client.createAgent({ body: { name, source_path } });
      assert.equal(made.source_path, source_path);
    });

    test("a version is unique within its agent", async () => {
      const { client } = server;
      const [a, alias, b] = ["a", "alias", "b"].map(unique) as [string, string, string];
      await client.createAgent({ body: { name: a, aliases: [alias] } });
      await client.createAgent({ body: { name: b } });
      const body = { version: "1.0.0", metadata: { notes: "first" } };
      const at = (agent_id: string) => client.createAgentVersion({ params: { agent_id }, body });
      const ended = await Promise.allSettled([at(a), at(alias), at(a)]);
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
      await at(b);
      const { versions, total } = await client.listAgentVersions({ params: { agent_id: alias } });
      assert.equal(total, 1);
      assert.deepEqual(versions[0]?.metadata, { notes: "first" });
      await refused(client.listAgentVersions({ params: { agent_id: unknownId } }), 404);
    });

    test("deleting an agent removes its versions, aliases and releases", async () => {
      const { client } = server;
      const [name, environment] = [unique("desk"), unique("prod")];
      const { id: environment_id } = await client.createEnvironment({ body: { name: environment } });
      const body = { agent_name: name, version: "1", environment, action: "activate" } as const;
      const { agent } = await client.syncAgentRelease({ body });
      const remove = () => client.deleteAgent({ params: { agent_id: name } });
      await refused(remove(), 409, new RegExp(`chat of "${name}"`));

      await client.stopAgent({ body: { agent_id: agent.id }, environment });
      const environments = async () =>
        (await query(server.server.store, "select owner from agent_environments")).filter(
          ({ owner }) => owner === agent.id,
        );
      assert.equal((await environments()).length, 1);
      await remove();
      assert.deepEqual(await environments(), []);
      await refused(client.getAgent({ params: { agent_id: agent.id } }), 404);
      const again = await client.createAgent({ body: { name } });
      assert.equal((await client.listAgentVersions({ params: { agent_id: again.id } })).total, 0);
      await client.deleteEnvironment({ params: { environment_id } });
    });

    test("an agent with a linked app cannot be deleted", async () => {
      const { client } = server;
      const [name, ui] = [unique("desk"), unique("ui")];
      const { id } = await client.createAgent({ body: { name } });
      const app = await client.createApp({ body: { name: ui, agent: name } });
      await refused(client.deleteAgent({ params: { agent_id: id } }), 409, new RegExp(`"${ui}"`));
      await client.deleteApp({ params: { app_id: app.id } });
      await client.deleteAgent({ params: { agent_id: id } });
    });

    test("of a concurrent app creation and agent deletion, only one succeeds", async () => {
      const { client } = server;
      for (let n = 0; n < 10; n++) {
        const { id } = await client.createAgent({ body: { name: unique("a") } });
        await client.createAgentVersion({ params: { agent_id: id }, body: { version: "1" } });
        const [app, version, gone] = await Promise.allSettled([
          client.createApp({ body: { name: unique("ui"), agent: id } }),
          client.createAgentVersion({ params: { agent_id: id }, body: { version: "2" } }),
          client.deleteAgent({ params: { agent_id: id } }),
        ]);
        assert.notEqual(app.status, gone.status);
        if (app.status === "rejected") assert.equal(app.reason.status, 404);
        if (version.status === "rejected") assert.equal(version.reason.status, 404);
        if (gone.status === "rejected") assert.equal(gone.reason.status, 409);
      }
    });

    test("deleting with an outdated If-Match is 412", async () => {
      const { client } = server;
      const { body, etag } = await client.withResponse.createAgent({ body: { name: unique("desk") } });
      assert.ok(etag);
      await client.retryComponent({ body: { agent_id: body.id, component: "chat" } });
      await refused(client.deleteAgent({ params: { agent_id: body.id }, ifMatch: etag }), 412);
    });

    test("any plain text is a name", async () => {
      const { client } = server;
      for (const name of ["😀", '"', "stop", "x".repeat(5000), "019f0000-0000-7000-8000-00000000eeee"]) {
        const made = await client.createAgent({ body: { name, aliases: [`${name}!`] } });
        assert.equal(made.name, name);
        const { agent } = await client.retryComponent({
          body: { agent_id: `${name}!`, component: "chat" },
        });
        assert.equal(agent.id, made.id);
      }
    });
  });
}
