import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "./testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "./testing/server.ts";

for (const engine of engines) {
  suite(`dry_run on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    const connector = (name: string) => ({
      name,
      target_type: "csv",
      target_config: null,
      created_by: "ada",
    });
    const names = async () => {
      const { connectors } = await server.client.listConnectors({ query: { limit: 1000 } });
      return connectors.map(({ name }) => name);
    };
    async function post(query: string, body: object): Promise<Response> {
      const headers = { "content-type": "application/json" };
      return server.fetch(`/api/v1/connectors/${query}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
    }

    test("false is the write itself, and every other value is an error", async () => {
      const name = unique("crm");
      for (const query of ["?dry_run=", "?dry_run=1", "?dry_run=TRUE", "?dry_run", "?dry_run=true%00"]) {
        const response = await post(query, connector(name));
        const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string }[] };
        assert.deepEqual([response.status, detail[0]?.loc], [422, ["query", "dry_run"]], query);
      }
      assert.equal((await post("?dry_run=false", connector(name))).status, 200);
      assert.ok((await names()).includes(name));
    });

    test("a parameter that was meant as dry_run is never ignored", async () => {
      const name = unique("crm");
      for (const query of [
        "dryRun=true",
        "dry-run=true",
        "DRY_RUN=true",
        "dry_run=true&dry_run=false",
        "a=b&dry%20run",
      ]) {
        assert.equal((await post(`?${query}`, connector(name))).status, 422, query);
      }
      assert.ok(!(await names()).includes(name));
    });

    test("it is reported together with the other errors of a request", async () => {
      const response = await post("?dry_run=yes", { name: 1 });
      const { detail } = (await response.json()) as { detail: { loc: string[] }[] };
      assert.deepEqual(detail.map(({ loc }) => loc.join(".")).slice(0, 2), ["query.dry_run", "body.name"]);
    });

    test("the client passes it, and errors are those of the write", async () => {
      const { client } = server;
      const name = unique("crm");
      const created = await client.withResponse.createConnector({ body: connector(name), dryRun: true });
      assert.deepEqual([created.body.name, created.body.status, created.etag], [name, "active", '"1"']);
      const { id } = await client.createConnector({ body: connector(name) });
      await refused(client.createConnector({ body: connector(name), dryRun: true }), 409, /already/);
      const change = { params: { connector_id: id }, body: { schedule_cron: "0 6 * * *" }, dryRun: true };
      await refused(client.updateConnector({ ...change, ifMatch: '"7"' }), 412, /changed since/);
      const changed = await client.withResponse.updateConnector({ ...change, ifMatch: '"1"' });
      assert.deepEqual([changed.etag, changed.body.schedule_cron], ['"2"', "0 6 * * *"]);
      const { etag } = await client.withResponse.getConnector({ params: { connector_id: id } });
      assert.equal(etag, '"1"');
    });

    test("a caller who may not write may not try it", async () => {
      const { client, url } = server;
      const { id } = await client.createUser({ body: { username: unique("viewer"), role: "viewer" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: { comment: "test" } });
      const viewer = createClient({ baseUrl: url, token, retries: 0 });
      await refused(
        viewer.createConnector({ body: connector(unique("crm")), dryRun: true }),
        403,
        /operator/,
      );
      const message = { environment: "local", channel_id: "C1", message: "hello" };
      const response = await fetch(`${url}/api/agents/x/chat/messages?dry_run=true`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      assert.equal(response.status, 403);
    });

    test("a dry run keeps no idempotency key, and gives the stored answer of one that is kept", async () => {
      const { client } = server;
      const call = { body: connector(unique("crm")), idempotencyKey: unique("key") };
      const first = await client.createConnector({ ...call, dryRun: true });
      const real = await client.createConnector(call);
      assert.notEqual(real.id, first.id);
      assert.deepEqual(await client.createConnector({ ...call, dryRun: true }), real);
      await refused(
        client.createConnector({ ...call, body: connector("other"), dryRun: true }),
        409,
        /Idempotency-Key/,
      );
    });

    test("dry runs and writes of the same moment do not affect each other", async () => {
      const { client } = server;
      const [real, tried] = [unique("real"), unique("tried")];
      const before = (await names()).length;
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          n % 2 === 0
            ? client.createConnector({ body: connector(`${real}-${n}`) })
            : client.createConnector({ body: connector(`${tried}-${n}`), dryRun: true }),
        ),
      );
      assert.equal(new Set(answers.map(({ id }) => id)).size, 60);
      const now = await names();
      assert.equal(now.length, before + 30);
      assert.ok(!now.some((name) => name.startsWith(tried)));
    });

    test("what a caller changes while others try the same is not lost", async () => {
      const { client } = server;
      const { id } = await client.createConnector({ body: connector(unique("crm")) });
      const params = { connector_id: id };
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          client.updateConnector({ params, body: { artifacts_path: `/${n}` }, dryRun: n % 2 === 0 }),
        ),
      );
      const { body, etag } = await client.withResponse.getConnector({ params });
      assert.equal(etag, '"21"');
      assert.equal(Number(body.artifacts_path?.slice(1)) % 2, 1);
    });
  });
}
