import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { refused } from "../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../testing/server.ts";

for (const engine of engines) {
  suite(`files that will run on ${engine}`, () => {
    let server: TestServer;
    let operator: Client;
    before(async () => {
      server = await startTestServer({ engine });
      const { id } = await server.client.createUser({ body: { username: "ada" } });
      const { token } = await server.client.createToken({ params: { user_id: id }, body: {} });
      operator = createClient({ baseUrl: server.url, token, retries: 0 });
    });
    after(() => server.close());

    test("only an admin may change the code of agents, of their versions, and of apps", async () => {
      const { client } = server;
      const [agent, version, app] = [unique("agent"), unique("version"), unique("app")];
      const { id: agent_id } = await client.createAgent({
        body: { name: agent, source_path: `code/${agent}` },
      });
      await client.createAgentVersion({
        params: { agent_id },
        body: { version, source_path: `code/${version}` },
      });
      await client.createApp({ body: { name: app, source_path: `code/${app}` } });
      for (const name of [agent, version, app]) {
        const at = (path: string, of = operator) => of.putFile({ params: { path }, body: "x" });
        const why = new RegExp(`Only an admin may change "code/${name}/app.yaml": it is code of ${name}`);
        await refused(at(`code/${name}/app.yaml`), 403, why);
        await refused(at(`code/${name}`), 403);
        await at(`code/${name}/app.yaml`, client);
        await refused(operator.deleteFile({ params: { path: `code/${name}/app.yaml` } }), 403);
        await at(`code/${name}-notes/app.yaml`);
        await operator.deleteFile({ params: { path: `code/${name}-notes/app.yaml` } });
      }
    });

    test("the code of an app is its environment's alone; that of an agent is in all", async () => {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("there") } });
      const [app, agent] = [unique("app"), unique("agent")];
      await client.createApp({ body: { name: app, source_path: app } });
      await client.createAgent({ body: { name: agent, source_path: agent } });
      await operator.putFile({ params: { path: `${app}/a` }, body: "x", environment });
      await refused(operator.putFile({ params: { path: `${agent}/a` }, body: "x", environment }), 403);
    });

    test("a source_path is a folder of the workspace", async () => {
      for (const source_path of ["../x", "/etc", "a//b", "", "a/"]) {
        await refused(server.client.createApp({ body: { name: unique("x"), source_path } }), 409);
      }
      const { apps } = await server.client.listApps({ query: { limit: 1000 } });
      assert.ok(apps.every(({ source_path }) => source_path === null || !source_path.includes("..")));
    });
  });
}
