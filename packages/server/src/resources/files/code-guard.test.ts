import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";

for (const engine of engines) {
  suite(`code in workspace files on ${engine}`, () => {
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
        const put = (path: string, of = operator) => of.putFile({ params: { path }, body: "x" });
        const why = new RegExp(`Only an admin may change "code/${name}/app.yaml": it is code of ${name}`);
        await refused(put(`code/${name}/app.yaml`), 403, why);
        await refused(put(`code/${name}`), 403);
        await put(`code/${name}/app.yaml`, client);
        await refused(operator.deleteFile({ params: { path: `code/${name}/app.yaml` } }), 403);
        // A case-insensitive file system would run it.
        await refused(put(`Code/${name.toUpperCase()}/main.mjs`), 403);
        await put(`code/${name}-notes/main.mjs`);
        await operator.deleteFile({ params: { path: `code/${name}-notes/main.mjs` } });
      }
    });

    test("an app has code in its environment only, an agent in all environments", async () => {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("there") } });
      const [app, agent] = [unique("app"), unique("agent")];
      await client.createApp({ body: { name: app, source_path: app } });
      await client.createAgent({ body: { name: agent, source_path: agent } });
      await operator.putFile({ params: { path: `${app}/a` }, body: "x", environment });
      await refused(operator.putFile({ params: { path: `${agent}/a` }, body: "x", environment }), 403);
    });

    test("only an admin may write an app.yaml, because any folder may become code later", async () => {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("second") } });
      const folder = unique("fresh");
      for (const name of ["app.yaml", "App.YAML"]) {
        const params = { path: `${folder}/${name}` };
        const put = (of: Client) => of.putFile({ params, body: "command: [id]", environment });
        await refused(put(operator), 403, /Only an admin may change .* an app\.yaml defines what runs/);
        await put(client);
        await refused(operator.deleteFile({ params, environment }), 403);
      }
      await operator.putFile({ params: { path: `${folder}/my-app.yaml` }, body: "x", environment });
    });

    test("an agent cannot be registered for a folder that has files in other environments", async () => {
      const { client } = server;
      const [second, third] = [unique("second"), unique("third")];
      for (const name of [second, third]) await client.createEnvironment({ body: { name } });
      const [name, path] = [unique("desk"), unique("agents")];
      const put = (environment: string, of = operator) =>
        of.putFile({ params: { path: `${path}/agent.mjs` }, body: "x", environment });
      // Files in the default environment are visible to the admin.
      for (const environment of ["local", second, third]) await put(environment);
      const create = () => client.createAgent({ body: { name, source_path: path } });
      const why = new RegExp(`files below "${path}" in ("${second}", "${third}"|"${third}", "${second}")`);
      await refused(create(), 409, why);
      const { id } = await client.createAgent({ body: { name: unique("other") } });
      const version = (source_path: string) =>
        client.createAgentVersion({ params: { agent_id: id }, body: { version: unique("v"), source_path } });
      await refused(version(path), 409, why);
      await refused(version(`${path}/agent.mjs`), 409);
      await put(second, client).then(() => refused(create(), 409));

      for (const environment of [second, third]) {
        await operator.deleteFile({ params: { path: `${path}/agent.mjs` }, environment });
      }
      await create();
      await refused(put(second), 403);
      // Files that an admin has written since are known to be code.
      await put(second, client);
      await version(path);
    });

    test("of a concurrent file and agent registration for one folder one is refused", async () => {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("second") } });
      for (let n = 0; n < 4; n++) {
        const path = unique("race");
        const [file, agent] = await Promise.allSettled([
          operator.putFile({ params: { path: `${path}/a` }, body: "x", environment }),
          client.createAgent({ body: { name: path, source_path: path } }),
        ]);
        assert.notEqual(file.status, agent.status);
        if (file.status === "rejected") assert.equal(file.reason.status, 403);
        if (agent.status === "rejected") assert.equal(agent.reason.status, 409);
      }
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
