import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { createRegistry } from "./registry.ts";
import { validDesign } from "./test-designs.ts";

for (const engine of engines) {
  suite(`the registry of automations on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    function given() {
      const alias = unique("orders-daily");
      return { client: server.client, alias, params: { automation_alias: alias } };
    }

    test("an automation is registered, listed and read with its releases and schedules", async () => {
      const { client, alias, params } = given();
      const made = await client.createAutomation({ body: { alias, definition: validDesign } });
      assert.equal(made.description, validDesign.description);
      assert.equal(made.created_by, "internal-service");
      assert.match(made.design_content_hash ?? "", /^sha256:[0-9a-f]{64}$/);
      const { automations, total } = await client.listAutomations();
      assert.equal(automations.length, total);
      assert.deepEqual(automations.at(-1), made);
      const read = await client.getAutomation({ params });
      assert.deepEqual(read, { automation: made, releases: [], schedules: [] });
      const events = await server.events(undefined, `automation/${made.id}`);
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ["automation.created"],
      );
    });

    test("an unknown automation is 404; a taken alias is 409, also for concurrent requests", async () => {
      const { client, alias, params } = given();
      await refused(client.getAutomation({ params }), 404, `There is no automation "${alias}".`);
      const create = () => client.createAutomation({ body: { alias } });
      const both = await Promise.allSettled([create(), create()]);
      assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      await refused(create(), 409, /already/);
      const { automations } = await client.listAutomations({ query: { limit: 1000 } });
      assert.equal(automations.filter((one) => one.alias === alias).length, 1);
    });

    test("requests with the same Idempotency-Key, even concurrent ones, create one automation and get the same response", async () => {
      const { client, alias } = given();
      const create = () => client.createAutomation({ body: { alias }, idempotencyKey: alias });
      const made = await Promise.all([create(), create(), create(), create()]);
      for (const one of [...made, await create()]) assert.deepEqual(one, made[0]);
      assert.equal((await server.events("automation.created", `automation/${made[0]?.id}`)).length, 1);
    });

    test("an inconsistent definition is a conflict that names the task", async () => {
      const { client, alias, params } = given();
      const definition = { tasks: [{ name: "load", kind: "connector" as const }] };
      await refused(
        client.createAutomation({ body: { alias, definition } }),
        409,
        /Task "load" is of kind connector and needs a reference/,
      );
      await client.createAutomation({ body: { alias } });
      const body = { tasks: validDesign.tasks, schedule: { cron: "at noon" } };
      await refused(client.setDefinition({ params, body }), 409, /"at noon" has 2 fields: expected five/);
    });

    test("setting a definition increments the version; setting the same one changes nothing", async () => {
      const { client, alias, params } = given();
      await client.createAutomation({ body: { alias } });
      const set = (ifMatch?: string) =>
        client.withResponse.setDefinition({
          params,
          body: validDesign,
          ...(ifMatch !== undefined && { ifMatch }),
        });
      const first = await set('"1"');
      assert.equal(first.etag, '"2"');
      assert.equal(first.body.updated_by, "internal-service");
      const before = await server.rows();
      assert.equal((await set()).etag, '"2"');
      assert.deepEqual(await server.rows(), before);
      await refused(set('"1"'), 412, /changed since/);
    });

    test("a registered definition has the hash of an attempt with the same design", async () => {
      const { client, alias, params } = given();
      const made = await client.createAutomation({ body: { alias, definition: validDesign } });
      await client.putAttempt({ params: { ...params, attempt_id: "a-1" }, body: validDesign });
      const valid = await client.validateArtifacts({ params, body: { attempt_id: "a-1" } });
      assert.equal(valid.design_content_hash, made.design_content_hash);
    });

    test("secret parameters are masked and encrypted; the mask keeps a secret with its task", async () => {
      const { client, alias, params } = given();
      const task = (name: string, password: string) => ({
        name,
        kind: "sql" as const,
        query: "select 1",
        parameters: { password },
      });
      const reference = "{{secrets/shop/db}}";
      const first = {
        parameters: { api_token: reference },
        tasks: [task("a", "hunter1"), task("b", "hunter2")],
      };
      const made = await client.createAutomation({ body: { alias, definition: first } });
      const passwords = (definition: unknown) =>
        (definition as typeof first).tasks.map(({ parameters }) => parameters.password);
      assert.deepEqual(passwords(made.definition), ["********", "********"]);
      assert.deepEqual((made.definition as typeof first).parameters, { api_token: reference });
      assert.doesNotMatch(JSON.stringify(await server.rows()), /hunter/);

      const turned = { tasks: [task("b", "********"), task("a", "********")] };
      await client.setDefinition({ params, body: turned });
      await client.syncAutomationRelease({ body: { ...params, environment: "local" } });
      const registry = createRegistry(server.deps);
      const stored = await registry.find(alias);
      assert.ok(stored);
      assert.deepEqual(passwords(registry.definitionOf(stored)), ["hunter2", "hunter1"]);
      assert.doesNotMatch(JSON.stringify(await server.rows()), /hunter/);
    });

    test("numbers beyond double precision keep all digits", async () => {
      const { alias } = given();
      const post = (path: string, body: string) =>
        server.fetch(path, { method: "POST", body, headers: { "content-type": "application/json" } });
      const n = "123456789012345678901";
      const made = await post(
        "/api/automations",
        `{"alias":"${alias}","definition":{"tasks":[{"name":"one","kind":"sql","query":"select 1"}],"parameters":{"n":${n}}}}`,
      );
      assert.match(await made.text(), new RegExp(`"n":${n}`));
      const released = await post(
        "/api/automations/sync-release",
        `{"automation_alias":"${alias}","environment":"local","metadata":{"n":${n}}}`,
      );
      assert.equal(released.status, 200);
      assert.match(await released.text(), new RegExp(`"n":${n}`));
    });
  });
}
