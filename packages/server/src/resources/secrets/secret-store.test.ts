import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { createSecretStore } from "./secret-store.ts";

const password = { scope: "crm", key: "password" };

for (const engine of engines) {
  suite(`secrets on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    async function given() {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("here") } });
      return {
        client,
        environment,
        put: (value: string, params = password) => client.putSecret({ params, body: { value }, environment }),
        remove: (params = password) => client.deleteSecret({ params, environment }),
        list: (scope = "crm") => client.listSecrets({ params: { scope }, environment }),
        kinds: async () =>
          (await server.events("secret.*"))
            .filter(({ data }) => data.environment_id === environment)
            .map(({ kind }) => kind),
        // The embedded platform resolves secrets when it runs something; no API caller can read one.
        secrets: createSecretStore(server.deps),
      };
    }

    test("a secret is stored, replaced, listed by name and deleted; its value is never returned", async () => {
      const { put, remove, list, kinds } = await given();
      assert.deepEqual(await put("hunter1"), { success: true, message: "Secret crm/password stored." });
      await put("hunter2", { ...password, key: "User" });
      await put("hunter3");

      const listed = await list();
      assert.deepEqual(
        listed.secrets.map(({ key }) => key),
        ["User", "password"],
      );
      assert.equal(listed.total, 2);
      assert.equal((await list("other")).total, 0);

      assert.deepEqual(await remove(), { success: true, message: "Secret crm/password deleted." });
      await refused(remove(), 404);
      assert.doesNotMatch(JSON.stringify([await server.rows(), listed, server.logged]), /hunter/);
      assert.deepEqual(await kinds(), Array(3).fill("secret.stored").concat("secret.deleted"));
    });

    test("storing the same value again writes nothing", async () => {
      const { put } = await given();
      await put("a\0b");
      const before = await server.rows();
      await put("a\0b");
      assert.deepEqual(await server.rows(), before);
    });

    test("concurrent writes of one secret all succeed, and one value is kept", async () => {
      const { environment, put, list, secrets } = await given();
      const values = Array.from({ length: 12 }, (_, n) => `value ${n}`);
      await Promise.all(values.map((value) => put(value)));
      assert.ok(values.includes((await secrets.resolve(environment, "crm", "password")) ?? ""));
      assert.equal((await list()).total, 1);
    });

    test("names with other characters than letters, digits, _ . - or longer than 128 are 409", async () => {
      const { put, remove, list } = await given();
      for (const name of ["a b", "ü", "a/b", "{{", "x".repeat(129)]) {
        await refused(put("x", { scope: name, key: "k" }), 409);
        await refused(put("x", { scope: "s", key: name }), 409);
        await refused(remove({ scope: "s", key: name }), 409);
        await refused(list(name), 409);
      }
      await put("x", { scope: "A_b.c-9", key: "x".repeat(128) });
    });

    test("each environment has its own secrets and cannot be deleted while it has any", async () => {
      const { client, environment, put, remove, list } = await given();
      const other = await given();
      await put("x");
      assert.deepEqual([(await list()).total, (await other.list()).total], [1, 0]);
      const params = { environment_id: environment };
      await refused(client.deleteEnvironment({ params }), 409, /still has resources/);
      await remove();
      await client.deleteEnvironment({ params });
      await refused(put("x"), 404);
    });

    test("only an admin may write, list or delete secrets", async () => {
      const { client } = await given();
      const { id } = await client.createUser({ body: { username: unique("ada") } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      for (const [method, path] of [
        ["PUT", "/api/v1/secrets/crm/password"],
        ["DELETE", "/api/v1/secrets/crm/password"],
        ["GET", "/api/v1/secrets/crm"],
      ] as const) {
        const body = method === "PUT" ? { body: '{"value":"x"}' } : {};
        const answer = await server.fetch(path, { method, headers, ...body });
        assert.equal(answer.status, 403, method);
      }
    });

    test("references are resolved for the platform, at any depth", async () => {
      const { environment, put, secrets } = await given();
      await put("$& {{secrets/crm/user}}");
      await put("ada", { scope: "crm", key: "user" });
      const tree = {
        url: "db://{{secrets/crm/user}}@host",
        nested: [{ password: "{{secrets/crm/password}}" }, 1, null],
        plain: "{{secrets/crm}}",
      };
      assert.deepEqual(await secrets.resolveReferences(environment, tree), {
        url: "db://ada@host",
        nested: [{ password: "$& {{secrets/crm/user}}" }, 1, null],
        plain: "{{secrets/crm}}",
      });
      const missing = secrets.resolveReferences(environment, ["{{secrets/crm/none}}"]);
      await assert.rejects(missing, /There is no secret crm\/none/);
      assert.equal(await secrets.resolve(environment, "crm", "none"), undefined);
    });
  });
}
