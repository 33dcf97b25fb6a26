import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { query } from "../../testing/store.ts";

const settings = { PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz" };
const connector = (name: string) => ({
  name,
  target_type: "warehouse",
  target_config: null,
  created_by: "ada",
});

for (const engine of engines) {
  suite(`environments on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, settings });
    });
    after(() => server.close());

    const create = (body: Parameters<TestServer["client"]["createEnvironment"]>[0]["body"]) =>
      server.client.createEnvironment({ body });
    const update = (
      environment_id: string,
      body: Parameters<TestServer["client"]["updateEnvironment"]>[0]["body"],
    ) => server.client.updateEnvironment({ params: { environment_id }, body });
    const read = (environment_id: string) => server.client.getEnvironment({ params: { environment_id } });
    const remove = (environment_id: string, force?: boolean) =>
      server.client.deleteEnvironment({
        params: { environment_id },
        ...(force !== undefined && { query: { force } }),
      });
    const eventsOf = (id: string) => server.events(undefined, `environment/${id}`);

    test("a first start creates local, on the embedded platform", async () => {
      const local = await read("local");
      assert.deepEqual([local.platform, local.isActive, local.protected], ["embedded", true, false]);
      assert.equal((await server.client.listEnvironments()).environments[0]?.name, "local");
    });

    test("defaults: the server's platform, an empty configuration, not protected, active, created by the caller", async () => {
      const name = unique("staging");
      const created = await create({ name });
      assert.deepEqual(created, {
        id: created.id,
        name,
        description: null,
        protected: false,
        platform: "embedded",
        gitProvider: null,
        gitRepository: null,
        targetGitBranch: null,
        secretScope: null,
        dataPlatformClientIdKey: null,
        dataPlatformClientSecretKey: null,
        configuration: {},
        isActive: true,
        createdAt: created.createdAt,
        updatedAt: created.createdAt,
        createdBy: "internal-service",
        updatedBy: null,
      });
      assert.match(created.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.match(created.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const nulls = await create({ name: unique("n"), platform: null, isActive: null, createdBy: null });
      assert.deepEqual(
        [nulls.platform, nulls.isActive, nulls.createdBy],
        ["embedded", true, "internal-service"],
      );
    });

    test("createdBy comes from the request, otherwise it is the caller", async () => {
      assert.equal((await create({ name: unique("a"), createdBy: "ada" })).createdBy, "ada");
      const body = { client_id: "ci", client_secret: "cs_9fQ2mXv7LpT4cYh8Rk3wBz" };
      const { access_token } = await server.client.exchangeToken({ body });
      const ci = createClient({ baseUrl: server.url, token: access_token, retries: 0 });
      const created = await ci.createEnvironment({ body: { name: unique("b") } });
      assert.equal(created.createdBy, "ci");
      assert.equal((await update(created.id, { description: "x" })).updatedBy, "internal-service");
      assert.equal((await update(created.id, { description: "y", updatedBy: "ada" })).updatedBy, "ada");
    });

    test("PATCH leaves fields that are not sent unchanged", async () => {
      const name = unique("partial");
      const created = await create({
        name,
        description: "first",
        targetGitBranch: "main",
        configuration: { a: 1 },
      });
      const changed = await update(name, { description: "second", protected: true });
      assert.deepEqual(changed, {
        ...created,
        description: "second",
        protected: true,
        updatedAt: changed.updatedAt,
        updatedBy: "internal-service",
      });
      assert.deepEqual(await read(created.id), changed);
      const [, event] = await eventsOf(created.id);
      assert.deepEqual(
        [event?.kind, event?.data],
        [
          "environment.updated",
          {
            name,
            fields: ["description", "protected"],
            changes: [
              { path: "description", before: "first", after: "second" },
              { path: "protected", before: false, after: true },
            ],
          },
        ],
      );
    });

    test("PATCH: null clears a nullable field and leaves a required one unchanged", async () => {
      const created = await create({
        name: unique("nulls"),
        description: "d",
        gitProvider: "github",
        secretScope: "s",
        configuration: { a: 1 },
        isActive: false,
        protected: true,
      });
      const changed = await update(created.id, {
        name: null,
        description: null,
        gitProvider: null,
        secretScope: null,
        protected: null,
        platform: null,
        configuration: null,
        isActive: null,
        updatedBy: null,
      });
      assert.deepEqual(changed, {
        ...created,
        description: null,
        gitProvider: null,
        secretScope: null,
        updatedAt: changed.updatedAt,
        updatedBy: "internal-service",
      });
    });

    test("PATCH replaces the whole configuration", async () => {
      const created = await create({ name: unique("whole"), configuration: { a: 1, b: { c: 2, d: 3 } } });
      const changed = await update(created.id, { configuration: { b: { c: 4 } } });
      assert.deepEqual(changed.configuration, { b: { c: 4 } });
      assert.deepEqual((await update(created.id, { configuration: {} })).configuration, {});
    });

    test("a PATCH that changes nothing writes nothing, not even an event", async () => {
      const configuration = { host: "h", password: "s3cret" };
      const created = await create({ name: unique("same"), description: "d", configuration });
      for (const body of [
        {},
        { description: "d" },
        { configuration },
        { configuration: created.configuration },
      ]) {
        assert.deepEqual(await update(created.id, body), created);
      }
      assert.equal((await eventsOf(created.id)).length, 1);
    });

    test("a protected environment can still be edited through the API", async () => {
      const created = await create({ name: unique("protected"), protected: true });
      assert.equal((await update(created.id, { description: "edited" })).description, "edited");
    });

    test("one admin can unprotect an environment, edit, and protect it again: the event log has each step", async () => {
      const { id } = await create({ name: unique("protected"), protected: true });
      for (const change of [{ protected: false }, { description: "edited" }, { protected: true }])
        await update(id, change);
      const steps = (await eventsOf(id)).map(({ actor, data }) => [
        actor,
        ((data.changes ?? []) as { path: string; after: unknown }[]).map(({ path, after }) => [path, after]),
      ]);
      assert.deepEqual(steps.slice(1), [
        ["internal-service", [["protected", false]]],
        ["internal-service", [["description", "edited"]]],
        ["internal-service", [["protected", true]]],
      ]);
    });

    test("the ETag counts versions, and a stale If-Match is 412", async () => {
      const { withResponse } = server.client;
      const created = await withResponse.createEnvironment({ body: { name: unique("versions") } });
      const params = { environment_id: created.body.id };
      assert.equal(created.etag, '"1"');
      const changed = await withResponse.updateEnvironment({
        params,
        body: { description: "x" },
        ifMatch: '"1"',
      });
      assert.equal(changed.etag, '"2"');
      assert.equal((await withResponse.getEnvironment({ params })).etag, '"2"');
      await refused(
        server.client.updateEnvironment({ params, body: { description: "y" }, ifMatch: '"1"' }),
        412,
        "It has changed since you read it. Read it again, then resend your change.",
      );
      await refused(server.client.deleteEnvironment({ params, ifMatch: '"1"' }), 412);
      assert.equal((await read(created.body.id)).description, "x");
      await server.client.updateEnvironment({ params, body: { description: "z" }, ifMatch: '"1", "2"' });
      await server.client.deleteEnvironment({ params, ifMatch: "*" });
    });

    test("of concurrent changes with the same If-Match one succeeds", async () => {
      const { id } = await create({ name: unique("race") });
      const ended = await Promise.allSettled(
        [1, 2, 3, 4, 5].map((n) =>
          server.client.updateEnvironment({
            params: { environment_id: id },
            body: { description: String(n) },
            ifMatch: '"1"',
          }),
        ),
      );
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 412);
    });

    test("no concurrent change without If-Match is lost", async () => {
      const { id } = await create({ name: unique("merge") });
      const fields = [
        "description",
        "gitProvider",
        "gitRepository",
        "targetGitBranch",
        "secretScope",
      ] as const;
      await Promise.all(fields.map((field) => update(id, { [field]: field })));
      const updated = await read(id);
      for (const field of fields) assert.equal(updated[field], field);
      assert.equal((await eventsOf(id)).length, 6);
    });

    test("a name is unique, also for concurrent requests and renames", async () => {
      const name = unique("one");
      const ended = await Promise.allSettled(Array.from({ length: 8 }, () => create({ name })));
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) {
        if (one.status === "fulfilled") continue;
        assert.equal(one.reason.status, 409);
        assert.equal(one.reason.detail, `There is already an environment named "${name}".`);
      }
      const other = await create({ name: unique("two") });
      await refused(update(other.id, { name }), 409, `There is already an environment named "${name}".`);
      const free = unique("three");
      await update(name, { name: free });
      assert.equal((await update(other.id, { name })).name, name);
      assert.equal((await read(free)).name, free);
    });

    test("any plain text is a name, and a name that looks like an id does not hide the environment with that id", async () => {
      const odd = ["a/b", "ü 😀", '"', "x".repeat(5000)].map((name) => name + unique("odd"));
      for (const name of odd) assert.equal((await create({ name })).name, name);
      const first = await create({ name: unique("first") });
      await create({ name: first.id });
      assert.equal((await read(first.id)).name, first.name);
    });

    test("secrets are returned as ********, for one environment and in lists", async () => {
      const configuration = {
        host: "db",
        password: "p-s3cret",
        nested: [{ api_key: "k-s3cret" }, { clientSecret: "c-s3cret" }],
        reference: { token: "{{secrets/shop/token}}" },
        primary_keys: ["id"],
      };
      const created = await create({ name: unique("secrets"), configuration });
      const masked = {
        ...configuration,
        password: "********",
        nested: [{ api_key: "********" }, { clientSecret: "********" }],
      };
      assert.deepEqual(created.configuration, masked);
      assert.deepEqual((await read(created.id)).configuration, masked);
      const list = await server.client.listEnvironments({ query: { limit: 1000 } });
      assert.doesNotMatch(JSON.stringify(list), /[pkc]-s3cret/);
    });

    test("sending ******** back keeps the stored secret, another value replaces it, and leaving it out deletes it", async () => {
      const { id } = await create({ name: unique("kept"), configuration: { password: "old", token: "t" } });
      const stored = async () => {
        const [row] = await query(
          server.server.store,
          `select doc, sealed from environments where id = '${id}'`,
        );
        if (row?.sealed === null) return {};
        return JSON.parse(server.deps.vault.decrypt(String(row?.sealed)));
      };
      assert.deepEqual(await stored(), { '["password"]': "old", '["token"]': "t" });
      await update(id, { configuration: { password: "********", token: "new", note: "n" } });
      assert.deepEqual(await stored(), { '["password"]': "old", '["token"]': "new" });
      await update(id, { description: "nothing about secrets" });
      assert.deepEqual(await stored(), { '["password"]': "old", '["token"]': "new" });
      await update(id, { configuration: { password: "********" } });
      assert.deepEqual(await stored(), { '["password"]': "old" });
      await update(id, { configuration: { host: "h" } });
      assert.deepEqual(await stored(), {});
    });

    test("the address of the repository must not contain credentials", async () => {
      const name = unique("git");
      for (const gitRepository of [
        "https://ghp_token@github.example.com/x",
        "https://ada:pw@example.com/x",
      ]) {
        await refused(create({ name, gitRepository }), 409, /gitRepository must not contain credentials/);
      }
      const { id } = await create({ name, gitRepository: "https://github.example.com/shop/data.git" });
      await refused(update(id, { gitRepository: "https://x:y@github.example.com/a" }), 409);
      await update(id, { gitRepository: "ssh://git@github.example.com/shop/data.git" });
    });

    test("a secret is in no table, event or log in plain text", async () => {
      const value = unique("s3cret");
      const { id } = await create({
        name: unique("at-rest"),
        configuration: { password: value, deep: { token: value } },
      });
      await update(id, { configuration: { password: `${value}-2`, deep: { token: "********" } } });
      await refused(update(id, { name: "local", configuration: { token: value } }), 409);
      assert.doesNotMatch(JSON.stringify(await server.rows()), new RegExp(value));
      assert.doesNotMatch(JSON.stringify(await eventsOf(id)), new RegExp(value));
      assert.doesNotMatch(server.logged.join(""), new RegExp(value));
    });

    test("DELETE is 409 while the environment has resources", async () => {
      const { id, name } = await create({ name: unique("used") });
      const resource = await server.client.createConnector({
        body: connector(unique("c")),
        environment: id,
      });
      await refused(remove(id), 409, `The environment "${name}" still has resources. Delete them first.`);
      assert.equal((await read(id)).name, name);
      await server.client.deleteConnector({ params: { connector_id: resource.id } });
      const done = await remove(id);
      assert.deepEqual(done, { success: true, message: `Environment ${name} deleted.` });
      await refused(read(id), 404, `There is no environment "${id}".`);
      await refused(remove(name), 404);
      assert.deepEqual(
        (await eventsOf(id)).map(({ kind }) => kind),
        ["environment.created", "environment.deleted"],
      );
    });

    test("of a concurrent DELETE and a new resource one is refused", async () => {
      for (let n = 0; n < 5; n++) {
        const { id } = await create({ name: unique("contested") });
        const [removed, created] = await Promise.allSettled([
          remove(id),
          server.client.createConnector({ body: connector(unique("c")), environment: id }),
        ]);
        assert.equal([removed, created].filter(({ status }) => status === "fulfilled").length, 1);
        if (removed.status === "rejected") assert.equal(removed.reason.status, 409);
        if (created.status === "rejected") assert.equal(created.reason.status, 404);
      }
    });

    test("DELETE of a protected environment needs force=true", async () => {
      const { id, name } = await create({ name: unique("guarded"), protected: true });
      const sentence = `The environment "${name}" is protected. To delete it, send force=true.`;
      await refused(remove(id), 409, sentence);
      await refused(remove(id, false), 409, sentence);
      await remove(id, true);
      await refused(read(id), 404);
    });

    test("DELETE asks for force=true only where it helps: resources and files are named first", async () => {
      const { id, name } = await create({ name: unique("full"), protected: true });
      const { id: connector_id } = await server.client.createConnector({
        body: connector(unique("c")),
        environment: id,
      });
      const file = { params: { path: "a.txt" }, environment: id };
      await server.client.putFile({ ...file, body: new TextEncoder().encode("a") });
      const hasFiles = "The environment still has files in its workspace folder. Delete them first.";
      for (const force of [false, true]) await refused(remove(id, force), 409, hasFiles);
      await server.client.deleteFile(file);
      const inUse = `The environment "${name}" still has resources. Delete them first.`;
      for (const force of [false, true]) await refused(remove(id, force), 409, inUse);
      await server.client.deleteConnector({ params: { connector_id } });
      await refused(
        remove(id),
        409,
        `The environment "${name}" is protected. To delete it, send force=true.`,
      );
      assert.equal((await read(id)).name, name);
      await remove(id, true);
      await refused(read(id), 404);
    });

    test("any platform name is stored; using an unknown platform is 409", async () => {
      const { id } = await create({ name: unique("far"), platform: "mainframe" });
      assert.equal((await read(id)).platform, "mainframe");
      await refused(
        server.client.createConnector({ body: connector(unique("c")), environment: id }),
        409,
        'Unknown platform "mainframe". Available platforms: embedded, databricks, spark.',
      );
      assert.equal((await server.client.listConnectors({ environment: id })).total, 0);
    });

    test("X-Environment-Id is an id or a name; unknown 404, inactive 409, absent the default", async () => {
      const { id, name } = await create({ name: unique("active") });
      for (const environment of [id, name]) {
        await server.client.createConnector({ body: connector(unique("c")), environment });
        assert.ok((await server.client.listConnectors({ environment })).total > 0);
      }
      assert.equal((await server.client.listConnectors({ environment: id })).total, 2);
      const unknown = server.client.createConnector({ body: connector(unique("c")), environment: "nowhere" });
      await refused(unknown, 404, 'There is no environment "nowhere".');
      await update(id, { isActive: false });
      const inactive = server.client.createConnector({ body: connector(unique("c")), environment: name });
      await refused(inactive, 409, `The environment "${name}" is not active.`);
      const total = async () => (await server.client.listConnectors({ environment: "local" })).total;
      const totalBefore = await total();
      await server.client.createConnector({ body: connector(unique("c")) });
      assert.equal(await total(), totalBefore + 1);
    });

    test("lists are paged, oldest first, with the total of all environments", async () => {
      const created: string[] = [];
      for (let n = 0; n < 3; n++) created.push((await create({ name: unique("page") })).id);
      const { total } = await server.client.listEnvironments();
      const page = await server.client.listEnvironments({ query: { skip: total - 3, limit: 2 } });
      assert.deepEqual(
        page.environments.map(({ id }) => id),
        created.slice(0, 2),
      );
      assert.equal(page.total, total);
      const beyond = await server.client.listEnvironments({ query: { skip: total } });
      assert.deepEqual(beyond, { environments: [], total });
    });

    test("an unknown environment is 404", async () => {
      for (const reference of ["nowhere", "019f0000-0000-7000-8000-00000000ffff", "a\u{1f600}"]) {
        await refused(read(reference), 404, `There is no environment "${reference}".`);
        await refused(update(reference, {}), 404);
        await refused(remove(reference), 404);
      }
    });

    test("#4, #9, #11: dev, test and prod are created on first use; any other unknown environment is 404", async () => {
      const bind = (environment: string) =>
        server.client.bindChat({ body: { environment, channel_id: unique("channel") } });
      await refused(read("dev"), 404);
      await Promise.all([bind("dev"), bind("dev"), bind("dev")]);
      const dev = await read("dev");
      assert.deepEqual([dev.platform, dev.isActive, dev.createdBy], ["embedded", true, "internal-service"]);
      assert.equal((await eventsOf(dev.id)).length, 1);
      await bind(dev.id);
      await refused(bind("unknown-staging"), 404);
    });
  });
}
