import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Environment } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { collection } from "../../core/store/collection.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { createSecretStore } from "./secret-store.ts";

const nowhere = () => [];
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
      const environments = collection<Environment>(server.deps.store, "environments");
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
        secrets: createSecretStore(server.deps, { find: environments.get }),
      };
    }

    test("a secret is stored, replaced, listed by name and deleted; its value is never returned", async () => {
      const { put, remove, list, kinds } = await given();
      assert.match((await put("hunter1")).message, /^Secret crm\/password stored\./);
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
      assert.ok(values.includes((await secrets.resolve(environment, "crm", "password", [])) ?? ""));
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
      assert.deepEqual(await secrets.resolveReferences(environment, tree, () => true, nowhere), {
        url: "db://ada@host",
        nested: [{ password: "$& {{secrets/crm/user}}" }, 1, null],
        plain: "{{secrets/crm}}",
      });
      const missing = secrets.resolveReferences(environment, ["{{secrets/crm/none}}"], () => true, nowhere);
      await assert.rejects(missing, /There is no secret crm\/none/);
      assert.equal(await secrets.resolve(environment, "crm", "none", []), undefined);
    });

    test("a reference outside a credential field is not resolved", async () => {
      const { environment, put, secrets } = await given();
      await put("hunter-two");
      const inList = ([list, at]: readonly (string | number)[]) => list === "list" && at === 1;
      const resolve = (tree: unknown) => secrets.resolveReferences(environment, tree, inList, nowhere);
      const reference = "{{secrets/crm/password}}";
      assert.deepEqual(await resolve({ list: ["a", reference] }), { list: ["a", "hunter-two"] });
      for (const [tree, where] of [
        [{ list: [`x ${reference}`] }, "list[0]"],
        [{ name: "{{secrets/crm" }, "name"],
        [{ deep: { [reference]: 1 } }, "deep"],
      ] as const) {
        await assert.rejects(resolve(tree), {
          message: `${where}: A reference to a secret is accepted only in a credential field.`,
        });
      }
    });

    test("a scope is unlimited until an admin limits it, and the limits are listed", async () => {
      const { client, environment, put, list, kinds } = await given();
      const { id: elsewhere, name } = await client.createEnvironment({ body: { name: unique("elsewhere") } });
      const scope = unique("scope");
      await put("x", { scope, key: "k" });
      assert.deepEqual((await list(scope)).limits, { environments: null, roles: null, hosts: null });
      const limit = (body: { environments?: string[] | null; roles?: ("operator" | "admin")[] | null }) =>
        client.limitSecretScope({ params: { scope }, body });
      assert.deepEqual(await limit({ environments: [elsewhere, name], roles: ["admin"] }), {
        scope,
        environments: [name],
        roles: ["admin"],
        hosts: null,
      });
      assert.deepEqual((await list(scope)).limits, { environments: [name], roles: ["admin"], hosts: null });
      await refused(put("y", { scope, key: "k" }), 409, /limited to other environments/);
      await refused(limit({ environments: ["nowhere"] }), 404);
      await refused(client.limitSecretScope({ params: { scope: "a b" }, body: {} }), 409);
      assert.deepEqual(await limit({}), { scope, environments: null, roles: null, hosts: null });
      await put("y", { scope, key: "k" });
      assert.deepEqual(await kinds(), ["secret.stored", "secret.stored"]);
      const limited = await server.events("secret.scope_limited");
      assert.equal(limited.filter(({ data }) => data.scope === scope).length, 2);
      assert.ok(environment);
    });

    test("a scope is resolved only in the environments it is limited to", async () => {
      const { client, environment, put, secrets } = await given();
      const other = await given();
      const scope = unique("scope");
      await put("here", { scope, key: "k" });
      await other.put("there", { scope, key: "k" });
      await client.limitSecretScope({ params: { scope }, body: { environments: [environment] } });
      const tree = [`{{secrets/${scope}/k}}`];
      assert.deepEqual(await secrets.resolveReferences(environment, tree, () => true, nowhere), ["here"]);
      await assert.rejects(
        secrets.resolveReferences(other.environment, tree, () => true, nowhere),
        {
          message: `The secret scope "${scope}" is limited to other environments. An admin can change that: PUT /api/v1/secrets/${scope}.`,
        },
      );
      await assert.rejects(
        secrets.resolve(other.environment, scope, "k", []),
        /limited to other environments/,
      );
    });

    test("a reference is written only by a role that may, and stays while its destination is unchanged", async () => {
      const { client, environment, put } = await given();
      const scope = unique("scope");
      await put("x", { scope, key: "k" });
      await put("x", { scope, key: "other" });
      await client.limitSecretScope({ params: { scope }, body: { roles: ["admin"], hosts: ["*"] } });
      const { id } = await client.createUser({ body: { username: unique("ada"), role: "operator" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const operator = createClient({ baseUrl: server.url, token });
      const config = (key: string, host = "db.example.com") => ({
        host,
        database: "shop",
        user: "ada",
        password: `{{secrets/${scope}/${key}}}`,
      });
      const body = (key: string) => ({
        name: unique("c"),
        target_type: "postgresql",
        target_config: config(key),
        created_by: "ada",
      });
      await refused(
        operator.createConnector({ body: body("k"), environment }),
        403,
        new RegExp(`^A reference to the secret scope "${scope}" requires the role admin. ada`),
      );
      const made = await client.createConnector({ body: body("k"), environment });
      const params = { connector_id: made.id };
      const update = (target_config: Record<string, unknown>) =>
        operator.updateConnector({ params, body: { target_config } });
      await update({ ...config("k"), batch_size: 10 });
      await operator.updateConnector({
        params,
        body: { schedule_cron: "0 6 * * *" },
      });
      await refused(update(config("other")), 403);
      await refused(update(config("k", "evil.example.com")), 403);
      await client.updateConnector({ params, body: { target_config: config("other", "db2.example.com") } });
      const alias = unique("a");
      const definition = {
        tasks: [
          {
            name: "a",
            kind: "http" as const,
            url: "https://example.com/x",
            parameters: { headers: { Authorization: `{{secrets/${scope}/k}}` } },
          },
        ],
      };
      await refused(operator.createAutomation({ body: { alias, definition } }), 403);
      await client.createAutomation({ body: { alias, definition } });
      // If operators are allowed by the limit, too, the reference is accepted again.
      await client.limitSecretScope({ params: { scope }, body: { roles: ["operator"] } });
      await update(config("k"));
    });

    test("a scope is bound to the host of an admin's first reference, and goes nowhere else", async () => {
      const { client, environment, put, list } = await given();
      const scope = unique("scope");
      assert.match((await put("x", { scope, key: "k" })).message, /has no hosts yet: the first/);
      const { id } = await client.createUser({ body: { username: unique("ada"), role: "operator" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const operator = createClient({ baseUrl: server.url, token });
      const create = (by: typeof client, url: string) =>
        by.createConnector({
          body: {
            name: unique("c"),
            target_type: "http",
            target_config: { url, headers: { Authorization: `Bearer {{secrets/${scope}/k}}` } },
            created_by: "ada",
          },
          environment,
        });
      await refused(create(operator, "https://evil.example.test/in"), 403, /not bound to a host here yet/);
      await create(client, "https://API.example.test/in");
      assert.deepEqual((await list(scope)).limits?.hosts, ["api.example.test"]);
      const [bound] = (await server.events("secret.scope_bound")).filter(({ data }) => data.scope === scope);
      assert.deepEqual(bound?.data.hosts, ["api.example.test"]);
      const made = await create(operator, "https://api.example.test/other");
      for (const by of [operator, client])
        await refused(create(by, "https://evil.example.test/in"), 409, /limited to api\.example\.test/);
      await refused(
        operator.updateConnector({
          params: { connector_id: made.id },
          body: {
            target_config: {
              url: "https://api.example.test.evil.example.test",
              headers: { Authorization: `Bearer {{secrets/${scope}/k}}` },
            },
          },
        }),
        409,
      );
      const definition = (url: string) => ({
        tasks: [
          {
            name: "a",
            kind: "http" as const,
            url,
            parameters: { headers: { "X-Key": `{{secrets/${scope}/k}}` } },
          },
        ],
      });
      const automate = (url: string) =>
        operator.createAutomation({ body: { alias: unique("a"), definition: definition(url) } });
      await refused(automate("https://evil.example.test/"), 409, /may not be sent to evil/);
      await automate("https://api.example.test/");
      const limit = (hosts: string[] | null) =>
        client.limitSecretScope({ params: { scope }, body: { hosts } });
      for (const wrong of ["https://a.example.test", "a.example.test:99999", "a b", "a/b", "*.*.x", "u@h"])
        await refused(limit([wrong]), 409, /is not a host/);
      assert.deepEqual((await limit(["*.Example.test", "programs"])).hosts, ["*.example.test", "programs"]);
      await create(operator, "https://two.example.test/in");
      // Other limits leave the hosts as they are.
      const kept = await client.limitSecretScope({ params: { scope }, body: { roles: null } });
      assert.deepEqual(kept.hosts, ["*.example.test", "programs"]);
      await limit(null);
      await refused(create(operator, "https://api.example.test/x"), 403, /not bound/);
      // An unusual port is part of the host: another service on the same host is another receiver.
      await create(client, "https://api.example.test:8443/in");
      assert.deepEqual((await list(scope)).limits?.hosts, ["api.example.test:8443"]);
      await create(operator, "https://api.example.test:8443/other");
      for (const url of ["https://api.example.test/in", "https://api.example.test:9000/in"])
        await refused(create(operator, url), 409, /limited to api\.example\.test:8443/);
      await limit(["api.example.test"]);
      await create(operator, "https://api.example.test:9000/in");
    });

    test("a first use binds a scope in its environment alone", async () => {
      const { client, environment: prod, secrets } = await given();
      const { id: dev } = await client.createEnvironment({ body: { name: unique("dev") } });
      const scope = unique("scope");
      for (const environment of [dev, prod])
        await client.putSecret({ params: { scope, key: "k" }, body: { value: "hunter2" }, environment });
      const username = unique("eve");
      const { id: user_id } = await client.createUser({ body: { username, role: "none" } });
      await client.putEnvironmentRole({ params: { environment_id: dev, username }, body: { role: "admin" } });
      await client.putEnvironmentRole({
        params: { environment_id: prod, username },
        body: { role: "operator" },
      });
      const { token } = await client.createToken({ params: { user_id }, body: {} });
      const eve = createClient({ baseUrl: server.url, token });
      const create = (by: typeof client, host: string, environment: string) =>
        by.createConnector({
          body: {
            name: unique("c"),
            target_type: "http",
            target_config: {
              url: `https://${host}/in`,
              headers: { Authorization: `Bearer {{secrets/${scope}/k}}` },
            },
            created_by: "eve",
          },
          environment,
        });
      const hostsIn = async (environment: string) =>
        (await client.listSecrets({ params: { scope }, environment })).limits?.hosts;

      await create(eve, "evil.example.test", dev);
      await refused(create(eve, "evil.example.test", prod), 403, /not bound to a host here yet/);
      assert.deepEqual([await hostsIn(dev), await hostsIn(prod)], [["evil.example.test"], null]);
      await create(client, "crm.example.test", prod);
      assert.deepEqual(await hostsIn(prod), ["crm.example.test"]);
      await refused(create(eve, "evil.example.test", prod), 409, /limited to crm\.example\.test\./);
      await create(eve, "crm.example.test", prod);
      for (const [environment, host] of [
        [dev, "crm.example.test"],
        [prod, "evil.example.test"],
      ] as const)
        await assert.rejects(secrets.resolve(environment, scope, "k", [host]), /may not be sent to/);
      assert.equal(await secrets.resolve(prod, scope, "k", ["crm.example.test"]), "hunter2");

      // An automation belongs to no environment: its hosts are checked where it runs, and its author learns no hosts.
      const automate = (by: typeof client, host: string, of = scope) =>
        by.createAutomation({
          body: {
            alias: unique("a"),
            definition: {
              tasks: [
                {
                  name: "a",
                  kind: "http",
                  url: `https://${host}/`,
                  parameters: { headers: { "X-Key": `{{secrets/${of}/k}}` } },
                },
              ],
            },
          },
        });
      await refused(
        automate(client, "third.example.test"),
        409,
        /limited to other hosts in each environment/,
      );
      await automate(client, "crm.example.test");
      const shared = unique("scope");
      await automate(client, "all.example.test", shared);
      const everywhere = await client.listSecrets({ params: { scope: shared }, environment: dev });
      assert.deepEqual(everywhere.limits?.hosts, ["all.example.test"]);
      await refused(automate(eve, "evil.example.test", unique("scope")), 403);

      // A list set by an admin of the server applies in every environment, and null removes the hosts that first uses
      // bound.
      await client.limitSecretScope({ params: { scope }, body: { hosts: ["all.example.test"] } });
      assert.deepEqual(
        [await hostsIn(dev), await hostsIn(prod)],
        [["all.example.test"], ["all.example.test"]],
      );
      await refused(create(eve, "evil.example.test", dev), 409, /limited to all\.example\.test/);
      await client.limitSecretScope({ params: { scope }, body: { hosts: null } });
      assert.deepEqual([await hostsIn(dev), await hostsIn(prod)], [null, null]);
    });

    test("an environment refers to a limited scope only if the caller may, also by the name of a key", async () => {
      const { client } = await given();
      const scope = unique("scope");
      await client.limitSecretScope({ params: { scope }, body: { roles: ["admin"], hosts: ["*"] } });
      const { id } = await client.createUser({ body: { username: unique("ada"), role: "operator" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const operator = createClient({ baseUrl: server.url, token });
      const reference = `{{secrets/${scope}/k}}`;
      const staging = (more: object) => ({
        configuration: { remote: "sc://spark.example.test", staging: "s3://rows", ...more },
      });
      const named = { secretScope: scope, dataPlatformClientIdKey: "k", dataPlatformClientSecretKey: "k" };
      for (const refers of [
        staging({ token: reference }),
        staging({ staging_options: { access_key_id: reference } }),
        { ...staging({ token_key: "k" }), secretScope: scope },
        { ...staging({}), ...named },
      ]) {
        const body = { name: unique("e"), platform: "spark", ...refers };
        await refused(operator.createEnvironment({ body }), 403, /requires the role admin/);
        const made = await operator.createEnvironment({ body: { name: body.name, platform: "spark" } });
        await refused(operator.updateEnvironment({ params: { environment_id: made.id }, body: refers }), 403);
        const params = { environment_id: made.id };
        await client.updateEnvironment({ params, body: refers });
        // A reference that an admin wrote may stay as long as its secret is sent to the same destination.
        const { configuration } = refers;
        await operator.updateEnvironment({ params, body: { description: "x" } });
        await operator.updateEnvironment({
          params,
          body: { configuration: { ...configuration, schema: "gold" } },
        });
        await refused(
          operator.updateEnvironment({
            params,
            body: { configuration: { ...configuration, remote: "sc://evil.example.test" } },
          }),
          403,
        );
      }
    });
  });
}
