import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { createPlatformRequests, createPlatforms } from "../../runtime/platforms/platform-requests.ts";
import { testOutbox } from "../../testing/outbox.ts";
import { refused } from "../../testing/refusal.ts";
import { done, type RemotePlatform, refusing, startRemotePlatform } from "../../testing/remote-platform.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { run } from "../../testing/store.ts";
import { createEnvironments } from "../environments/environments.ts";
import { createPipelines } from "./pipelines.ts";

const libraries = [{ file: { path: "pipelines/orders.sql" } }];
const orders = { name: "orders", libraries };
/** For rules that only concern specifications. */
const noTables = {
  begin: () => assert.fail("nothing is deleted"),
  requireReleased: () => assert.fail("nothing is created"),
};

for (const engine of engines) {
  suite(`pipelines on ${engine}`, () => {
    let remote: RemotePlatform;
    let server: TestServer;
    before(async () => {
      remote = await startRemotePlatform("remote");
      server = await startTestServer({ engine, platforms: [remote.platform] });
    });
    after(async () => {
      await server.close();
      await remote.close();
    });

    async function given(platform = "embedded") {
      remote.reply = () => done;
      const { client } = server;
      const { id: environment, name } = await client.createEnvironment({
        body: { name: unique("here"), platform },
      });
      const here = { environment };
      return {
        client,
        environment,
        name,
        here,
        create: (body: Parameters<typeof client.createPipeline>[0]["body"] = orders) =>
          client.createPipeline({ body, ...here }),
        total: async () => (await client.listPipelines(here)).total,
        jobs: async () => (await client.listJobs({ ...here, query: { kind: "pipeline" } })).jobs,
      };
    }
    const kindsOf = async (id: string) =>
      (await server.events(undefined, `pipeline/${id}`)).map(({ kind }) => kind);

    test("#13 returns the specification with its defaults and namespaced platform tags", async () => {
      const { client, environment, name, create, jobs } = await given();
      const created = await create({ ...orders, catalog: "shop" });
      const { pipeline_id, created_at, updated_at, platform_reference, ...rest } = created;
      assert.match(pipeline_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      assert.equal(updated_at, created_at);
      assert.equal(platform_reference, `pipeline-${pipeline_id}`);
      assert.deepEqual(rest, {
        ...orders,
        catalog: "shop",
        platform_managed: true,
        health: {
          status: "UNKNOWN",
          last_update_time: null,
          last_success_time: null,
          last_failure_time: null,
          consecutive_failures: 0,
          is_stale: false,
        },
        latest_updates: [],
        stopped: null,
        environment_id: environment,
        configuration: {},
        tags: {
          "platform.managed_by": "lakehelm",
          "platform.environment": name,
          "platform.pipeline": "orders",
        },
        continuous: false,
        development: false,
        photon: false,
        serverless: false,
        channel: "CURRENT",
        edition: "ADVANCED",
        error_message: null,
        created_by: "internal-service",
        updated_by: null,
      });
      assert.deepEqual(await client.getPipeline({ params: { pipeline_id } }), created);
      assert.deepEqual(await kindsOf(pipeline_id), ["pipeline.created"]);
      const [job] = await jobs();
      assert.deepEqual(
        [job?.id, job?.subject, job?.name, job?.definition.trigger],
        [platform_reference, `pipeline/${pipeline_id}`, "orders", { kind: "manual" }],
      );
    });

    test("a requested id is used if it is free; a taken one is 409", async () => {
      const { create } = await given();
      const id = unique("orders");
      assert.equal((await create({ ...orders, id })).pipeline_id, id);
      await refused(create({ ...orders, name: "other", id }), 409, new RegExp(`the id ${id}`));
      for (const unusable of ["", "a/b", "..", "x\0", "x".repeat(256)]) {
        await refused(create({ ...orders, name: "other", id: unusable }), 409);
      }
    });

    test("a name is unique in its environment, and free in another", async () => {
      const [here, there] = [await given(), await given()];
      await here.create();
      await refused(here.create(), 409, /already a pipeline named "orders"/);
      await there.create();
      assert.deepEqual([await here.total(), await there.total()], [1, 1]);
      const { pipelines, total } = await here.client.listPipelines({ query: { limit: 1000 } });
      assert.equal(pipelines.length, total);
      const both = pipelines.filter(({ environment_id }) =>
        [here.environment, there.environment].includes(String(environment_id)),
      );
      assert.equal(both.length, 2);
    });

    test("concurrent identical requests create one pipeline; the others are 409", async () => {
      const { create, total, jobs } = await given();
      for (const body of [orders, { name: "with an id", libraries, id: unique("mine") }]) {
        const ended = await Promise.allSettled(Array.from({ length: 8 }, () => create(body)));
        const others = ended.filter((one) => one.status === "rejected").map(({ reason }) => reason.status);
        assert.deepEqual(others, Array(7).fill(409));
        const [created] = ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
        assert.deepEqual(await kindsOf(created?.pipeline_id ?? ""), ["pipeline.created"]);
      }
      assert.equal(await total(), 2);
      assert.equal((await jobs()).length, 2);
    });

    test("Idempotency-Key: repeated and concurrent requests create one pipeline and get the same response", async () => {
      const { client, environment, here, total } = await given();
      for (const body of [orders, { ...orders, name: "with an id", id: unique("mine") }]) {
        const idempotencyKey = `${environment} ${body.name}`;
        const create = () => client.createPipeline({ body, ...here, idempotencyKey });
        const created = await Promise.all([create(), create(), create(), create()]);
        for (const one of [...created, await create()]) assert.deepEqual(one, created[0]);
      }
      assert.equal(await total(), 2);
    });

    test("two library kinds in an entry, serverless with clusters, or platform. keys are 422", async () => {
      const { create, total } = await given();
      const wrong = [
        { name: "a", libraries: [{ jar: "a.jar", whl: "a.whl" }] },
        { name: "a", libraries: [{}] },
        { name: "a", libraries, serverless: true, clusters: [{ label: "default" }] },
        { name: "a", libraries, configuration: { "platform.managed_by": "me" } },
      ];
      for (const body of wrong) await refused(create(body), 422);
      assert.equal(await total(), 0);
    });

    test("PATCH changes the fields it has and checks the merged specification", async () => {
      const { client, create } = await given();
      const { pipeline_id } = await create({ ...orders, clusters: [{ label: "big" }] });
      const params = { pipeline_id };
      const changed = await client.updatePipeline({ params, body: { name: "orders 2", development: true } });
      assert.equal(changed.development, true);
      assert.deepEqual(changed.clusters, [{ label: "big" }]);
      assert.deepEqual((changed.tags as Record<string, string>)["platform.pipeline"], "orders 2");
      assert.equal(changed.updated_by, "internal-service");

      await refused(client.updatePipeline({ params, body: { serverless: true } }), 409);
      await client.updatePipeline({ params, body: { serverless: true, clusters: null } });
      const kinds = ["pipeline.created", "pipeline.updated", "pipeline.updated"];
      assert.deepEqual(await kindsOf(pipeline_id), kinds);

      await create();
      await refused(client.updatePipeline({ params, body: { name: "orders" } }), 409);
    });

    test("a PATCH that changes nothing writes nothing", async () => {
      const { client, create } = await given();
      const body = { ...orders, configuration: { api_token: "s3cret", a: "b" } };
      const { pipeline_id } = await create(body);
      const params = { pipeline_id };
      const { etag } = await client.withResponse.updatePipeline({ params, body: {} });
      const before = await server.rows();
      for (const same of [{}, { continuous: false }, { configuration: body.configuration }]) {
        assert.equal((await client.withResponse.updatePipeline({ params, body: same })).etag, etag);
      }
      assert.deepEqual(await server.rows(), before);
    });

    test("a stale If-Match on PATCH and DELETE is 412", async () => {
      const { client, here } = await given();
      const { body, etag } = await client.withResponse.createPipeline({ body: orders, ...here });
      assert.ok(etag);
      const params = { pipeline_id: body.pipeline_id };
      await client.updatePipeline({ params, body: { photon: true }, ifMatch: etag });
      const late = { params, ifMatch: etag };
      await refused(client.updatePipeline({ ...late, body: { photon: false } }), 412);
      await refused(client.deletePipeline(late), 412);
    });

    test("secrets are masked in responses and events, encrypted at rest, and kept when the mask is sent back", async () => {
      const { client, create } = await given();
      const clusters = [{ spark_env_vars: { DB_PASSWORD: "hunter2", REGION: "eu" } }];
      const notifications = [{ url: "https://x", token: "hunter3" }];
      const ref = { "fs.azure.account.key": "{{secrets/crm/password}}" };
      const configuration = { "db.password": "hunter1", ...ref };
      const created = await create({ ...orders, clusters, notifications, configuration });
      assert.deepEqual(created.configuration, { "db.password": "********", ...ref });
      assert.deepEqual(created.clusters, [{ spark_env_vars: { DB_PASSWORD: "********", REGION: "eu" } }]);
      assert.deepEqual(created.notifications, [{ url: "https://x", token: "********" }]);

      const params = { pipeline_id: created.pipeline_id };
      const masked = created.configuration as Record<string, string>;
      await client.updatePipeline({
        params,
        body: { configuration: { ...masked, more: "1" }, photon: true },
      });
      // The platform reads the specification with its secrets; no API caller does.
      const environments = createEnvironments(server.deps, createPlatforms([]));
      const outbox = testOutbox(server.deps);
      const platformRequests = createPlatformRequests(server.deps.system, {
        platforms: [],
        outbox,
        platformOf: async () => undefined,
        holdsDataFolder: () => false,
      });
      const pipelines = createPipelines(server.deps, platformRequests, environments, noTables);
      const spec = await pipelines.specOf(created.pipeline_id);
      assert.deepEqual(spec.configuration, { ...configuration, more: "1" });
      assert.deepEqual(spec.clusters, clusters);
      assert.deepEqual(spec.notifications, notifications);

      const everything = [await server.rows(), await client.listPipelines(), server.logged];
      assert.doesNotMatch(JSON.stringify(everything), /hunter/);
    });

    test("DELETE also removes the pipeline from its platform", async () => {
      const { client, create, jobs } = await given();
      const { pipeline_id } = await create();
      const params = { pipeline_id };
      assert.equal((await jobs()).length, 1);
      const removed = await client.deletePipeline({ params });
      assert.deepEqual(removed, { success: true, message: "Pipeline orders deleted." });
      await refused(client.getPipeline({ params }), 404);
      await refused(client.deletePipeline({ params }), 404);
      assert.deepEqual(await kindsOf(pipeline_id), ["pipeline.created", "pipeline.deleted"]);
      assert.deepEqual(await jobs(), []);
    });

    test("a reference to a secret is accepted only where no SQL can read it", async () => {
      const { client, create } = await given();
      const reference = "{{secrets/crm/password}}";
      const clusters = [{ spark_env_vars: { KEY: reference }, spark_conf: { "fs.key": reference } }];
      const configuration = { "spark.hadoop.fs.s3a.secret.key": reference };
      const created = await create({ ...orders, clusters, configuration });
      for (const misplaced of [
        { configuration: { salt: reference } },
        { configuration: { "db.password": reference } },
        { configuration: { a: `x ${reference} y` } },
        { name: reference },
        { libraries: [{ file: { path: `/${reference}.sql` } }] },
        { clusters: [{ label: reference }] },
        { schema: reference },
      ]) {
        const sentence = /A reference to a secret is accepted only in a credential field/;
        await refused(create({ ...orders, ...misplaced }), 409, sentence);
        const params = { pipeline_id: created.pipeline_id };
        await refused(client.updatePipeline({ params, body: misplaced }), 409, sentence);
      }
    });

    test("an id can be reused once the tables of its deleted pipeline are released", async () => {
      const { environment, create } = await given();
      const id = unique("orders");
      const now = new Date().toISOString();
      const later = "2999-01-01T00:00:00.000Z";
      // The state that a server killed during a deletion leaves behind.
      await run(
        server.server.store,
        `insert into outbox (id, topic, key, payload, state, attempts, next_at, created_at) values ('${id}', 'pipeline.free', 'tables/${id}', '{"environment_id":"${environment}","pipeline_id":"${id}"}', 'pending', 0, '${later}', '${now}')`,
      );
      await refused(
        create({ ...orders, id }),
        409,
        /tables of the deleted pipeline .* are still being released/,
      );
      await create({ ...orders, name: "without an id of its own" });
      await run(server.server.store, `update outbox set next_at = '${now}' where id = '${id}'`);
      await server.server.tick();
      await until(async () => (await server.rows()).outbox?.length === 0);
      assert.equal((await create({ ...orders, id })).pipeline_id, id);
    });

    test("if the platform refuses, the pipeline is kept with an error_message, and an event is written", async () => {
      const { client, create } = await given("remote");
      remote.reply = () => refusing("No compute left.");
      const created = await create();
      assert.equal(created.error_message, "No compute left.");
      assert.deepEqual(await kindsOf(created.pipeline_id), ["pipeline.created", "pipeline.failed"]);

      remote.reply = () => ({ done: true, reference: "p-7" });
      const params = { pipeline_id: created.pipeline_id };
      const again = await client.updatePipeline({ params, body: {} });
      assert.deepEqual([again.error_message, again.platform_reference], [null, "p-7"]);

      remote.reply = () => refusing("No compute left.");
      await client.deletePipeline({ params });
      const failed = (await server.events(undefined, `pipeline/${created.pipeline_id}`)).at(-1);
      assert.equal(failed?.kind, "pipeline.failed");
      assert.deepEqual(failed?.data, {
        name: created.name,
        environment_id: created.environment_id,
        asked: "pipeline.remove",
        error_message: "No compute left.",
      });
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("the outcome of an older request is ignored after the specification has changed", async () => {
      const { client, here, create } = await given("remote");
      const slow = remote.holdNext();
      const early = create();
      await slow.received;
      const [pending] = (await client.listPipelines(here)).pipelines;
      const params = { pipeline_id: pending?.pipeline_id ?? "" };
      remote.reply = () => ({ done: true, reference: "p-2" });
      const changed = await client.updatePipeline({ params, body: { photon: true } });
      assert.equal(changed.platform_reference, "p-2");
      slow.reply(refusing("No compute left."));
      await early;
      assert.deepEqual(await client.getPipeline({ params }), changed);
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("an installation that a crash interrupted is completed at the next start", async () => {
      const { here, create } = await given("remote");
      remote.reply = () => ({ done: true, reference: "created there" });
      const { received } = remote.holdNext();
      const lost = assert.rejects(create());
      await received;
      server = await server.crash();
      await lost;
      const [pipeline] = (await server.client.listPipelines(here)).pipelines;
      assert.equal(pipeline?.platform_reference, "created there");
      assert.deepEqual((await server.rows()).outbox, []);
    });

    test("an environment with a pipeline cannot be deleted", async () => {
      const { client, environment, create } = await given();
      const { pipeline_id } = await create();
      const remove = () => client.deleteEnvironment({ params: { environment_id: environment } });
      await refused(remove(), 409, /still has resources/);
      await client.deletePipeline({ params: { pipeline_id } });
      await remove();
    });

    test("#13 X-Environment-Id: an unknown environment is 404, an inactive one or an unknown platform 409; without it the default applies", async () => {
      const { client } = await given();
      const [off, moon] = [unique("off"), unique("moon")];
      await client.createEnvironment({ body: { name: off, isActive: false } });
      await client.createEnvironment({ body: { name: moon, platform: "lunar" } });
      await refused(client.createPipeline({ body: orders, environment: "nowhere" }), 404);
      await refused(client.createPipeline({ body: orders, environment: off }), 409, /not active/);
      await refused(client.createPipeline({ body: orders, environment: moon }), 409, /"lunar"/);
      const local = await client.getEnvironment({ params: { environment_id: "local" } });
      assert.equal((await client.createPipeline({ body: orders })).environment_id, local.id);
    });
  });
}
