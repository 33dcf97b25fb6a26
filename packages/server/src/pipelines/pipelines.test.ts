import assert from "node:assert/strict";
import { test } from "node:test";
import { type House, openHouse, refusal } from "../deployments/test-house.ts";
import { engines } from "../testing/server.ts";

const libraries = [{ file: { path: "pipelines/orders.sql" } }];
const orders = { name: "orders", libraries };
const read = (house: House, id: string) => house.client.getPipeline({ params: { pipeline_id: id } });

test("#13 answers the settled specification with its defaults and platform tags", async (t) => {
  const house = await openHouse(t);
  const made = await house.client.createPipeline({ body: { ...orders, catalog: "shop" } });
  const environment = await house.client.getEnvironment({ params: { environment_id: "local" } });
  const { pipeline_id, created_at, updated_at, platform_reference, ...rest } = made;
  assert.match(pipeline_id, /^[0-9a-f-]{36}$/);
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
    environment_id: environment.id,
    configuration: {},
    tags: {
      "platform.managed_by": "lakehelm",
      "platform.environment": "local",
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
  assert.deepEqual(await read(house, pipeline_id), made);
  assert.deepEqual(await house.kinds(), ["pipeline.created"]);
  assert.deepEqual(await house.records(), [`pipeline.install pipeline/${pipeline_id}`]);
});

for (const engine of engines) {
  test(`an id that is given and free is used, a taken one is 409, on ${engine}`, async (t) => {
    const { client } = await openHouse(t, { engine });
    const made = await client.createPipeline({ body: { ...orders, id: "orders-1" } });
    assert.equal(made.pipeline_id, "orders-1");
    const taken = await refusal(
      client.createPipeline({ body: { ...orders, name: "other", id: "orders-1" } }),
    );
    assert.equal(taken.status, 409);
    assert.match(taken.detail, /the id orders-1/);
    for (const id of ["", "a/b", "..", "x\0", "x".repeat(256)]) {
      const refused = await refusal(client.createPipeline({ body: { ...orders, name: "other", id } }));
      assert.equal(refused.status, 409, JSON.stringify(id));
    }
  });
}

test("a name is unique in its environment, and free in another", async (t) => {
  const { client } = await openHouse(t);
  await client.createEnvironment({ body: { name: "staging" } });
  await client.createPipeline({ body: orders });
  assert.equal((await refusal(client.createPipeline({ body: orders }))).status, 409);
  await client.createPipeline({ body: orders, environment: "staging" });
  const all = await client.listPipelines();
  assert.equal(all.total, 2);
  const there = await client.listPipelines({ environment: "staging" });
  assert.deepEqual([there.total, there.pipelines.length], [1, 1]);
});

for (const engine of engines) {
  test(`two identical requests at once end in one pipeline and one 409, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    const { client } = house;
    for (const body of [orders, { name: "with an id", libraries, id: "mine" }]) {
      const ended = await Promise.allSettled(
        Array.from({ length: 8 }, () => client.createPipeline({ body })),
      );
      const refused = ended.filter((one) => one.status === "rejected").map(({ reason }) => reason.status);
      assert.deepEqual(refused, Array(7).fill(409));
    }
    assert.equal((await client.listPipelines()).total, 2);
    assert.equal((await house.kinds()).length, 2);
  });
}

test("an Idempotency-Key replays the first answer", async (t) => {
  const { client } = await openHouse(t);
  const first = await client.createPipeline({ body: orders, idempotencyKey: "k" });
  assert.deepEqual(await client.createPipeline({ body: orders, idempotencyKey: "k" }), first);
  assert.equal((await client.listPipelines()).total, 1);
});

test("one library kind per entry, no serverless with clusters, no platform. keys: 422", async (t) => {
  const { client } = await openHouse(t);
  const wrong = [
    { name: "a", libraries: [{ jar: "a.jar", whl: "a.whl" }] },
    { name: "a", libraries: [{}] },
    { name: "a", libraries, serverless: true, clusters: [{ label: "default" }] },
    { name: "a", libraries, configuration: { "platform.managed_by": "me" } },
  ];
  for (const body of wrong) assert.equal((await refusal(client.createPipeline({ body }))).status, 422);
});

test("PATCH changes what was sent and checks the merged specification", async (t) => {
  const house = await openHouse(t);
  const { client } = house;
  const { pipeline_id } = await client.createPipeline({ body: { ...orders, clusters: [{ label: "big" }] } });
  const params = { pipeline_id };
  const changed = await client.updatePipeline({ params, body: { name: "orders 2", continuous: true } });
  assert.equal(changed.continuous, true);
  assert.deepEqual(changed.clusters, [{ label: "big" }]);
  assert.deepEqual((changed.tags as Record<string, string>)["platform.pipeline"], "orders 2");
  assert.equal(changed.updated_by, "internal-service");

  const refused = await refusal(client.updatePipeline({ params, body: { serverless: true } }));
  assert.equal(refused.status, 409);
  await client.updatePipeline({ params, body: { serverless: true, clusters: null } });
  assert.deepEqual(await house.kinds(), ["pipeline.created", "pipeline.updated", "pipeline.updated"]);

  await client.createPipeline({ body: orders });
  assert.equal((await refusal(client.updatePipeline({ params, body: { name: "orders" } }))).status, 409);
});

test("a PATCH that changes nothing writes nothing", async (t) => {
  const house = await openHouse(t);
  const { client } = house;
  const body = { ...orders, configuration: { api_token: "s3cret", a: "b" } };
  const { pipeline_id } = await client.createPipeline({ body });
  const params = { pipeline_id };
  const { etag } = await client.withResponse.getPipeline({ params });
  for (const same of [{}, { continuous: false }, { configuration: body.configuration }]) {
    assert.equal((await client.withResponse.updatePipeline({ params, body: same })).etag, etag);
  }
  assert.deepEqual(await house.kinds(), ["pipeline.created"]);
});

test("a stale If-Match on PATCH and DELETE is 412", async (t) => {
  const { client } = await openHouse(t);
  const { body, etag } = await client.withResponse.createPipeline({ body: orders });
  assert.ok(etag);
  const params = { pipeline_id: body.pipeline_id };
  await client.updatePipeline({ params, body: { photon: true }, ifMatch: etag });
  const late = { params, ifMatch: etag };
  assert.equal((await refusal(client.updatePipeline({ ...late, body: { photon: false } }))).status, 412);
  assert.equal((await refusal(client.deletePipeline(late))).status, 412);
});

for (const engine of engines) {
  test(`secrets are masked in answers, events and at rest, and kept when the mask is sent back, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    const { client } = house;
    const clusters = [{ spark_env_vars: { DB_PASSWORD: "hunter2", REGION: "eu" } }];
    const notifications = [{ url: "https://x", token: "hunter3" }];
    const configuration = { "db.password": "hunter1", ref: "{{secrets/crm/password}}" };
    const made = await client.createPipeline({ body: { ...orders, clusters, notifications, configuration } });
    assert.deepEqual(made.configuration, { "db.password": "********", ref: "{{secrets/crm/password}}" });
    assert.deepEqual(made.clusters, [{ spark_env_vars: { DB_PASSWORD: "********", REGION: "eu" } }]);
    assert.deepEqual(made.notifications, [{ url: "https://x", token: "********" }]);

    const params = { pipeline_id: made.pipeline_id };
    const masked = made.configuration as Record<string, string>;
    await client.updatePipeline({ params, body: { configuration: { ...masked, more: "1" }, photon: true } });
    const spec = await house.pipelines.specOf(made.pipeline_id);
    assert.deepEqual(spec.configuration, { ...configuration, more: "1" });
    assert.deepEqual(spec.clusters, clusters);
    assert.deepEqual(spec.notifications, notifications);

    const rows = await house.store.all({ sql: "select * from pipelines", parameters: [] });
    const asked = await house.store.all({ sql: "select * from embedded_records", parameters: [] });
    const everything = JSON.stringify([rows, asked, await house.events(), await client.listPipelines()]);
    assert.doesNotMatch(everything, /hunter/);
  });
}

test("DELETE removes it from the platform too", async (t) => {
  const house = await openHouse(t);
  const { pipeline_id } = await house.client.createPipeline({ body: orders });
  const done = await house.client.deletePipeline({ params: { pipeline_id } });
  assert.deepEqual(done, { success: true, message: "Pipeline orders deleted." });
  assert.equal((await refusal(read(house, pipeline_id))).status, 404);
  assert.equal((await refusal(house.client.deletePipeline({ params: { pipeline_id } }))).status, 404);
  assert.deepEqual(await house.kinds(), ["pipeline.created", "pipeline.deleted"]);
  assert.deepEqual((await house.records()).at(-1), `pipeline.remove pipeline/${pipeline_id}`);
});

test("a platform that refuses is heard: the pipeline stays, with its error_message and an event", async (t) => {
  let willing = false;
  const house = await openHouse(t, {
    remote: async () =>
      willing ? { done: true, reference: "p-7" } : { done: false, reason: "No compute left." },
  });
  const { client } = house;
  await client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const made = await client.createPipeline({ body: orders, environment: "far" });
  assert.equal(made.error_message, "No compute left.");
  assert.deepEqual(await house.kinds(), ["pipeline.created", "pipeline.failed"]);

  willing = true;
  const params = { pipeline_id: made.pipeline_id };
  const again = await client.updatePipeline({ params, body: {} });
  assert.deepEqual([again.error_message, again.platform_reference], [null, "p-7"]);

  willing = false;
  await client.deletePipeline({ params });
  const [failed] = (await house.events()).slice(-1);
  assert.equal(failed?.kind, "pipeline.failed");
  assert.deepEqual(failed?.data, { asked: "pipeline.remove", error_message: "No compute left." });
  assert.deepEqual(await house.intents(), []);
});

test("an installation that a crash interrupted is finished at the next start", async (t) => {
  const crashed = await openHouse(t, { remote: () => new Promise(() => {}) });
  await crashed.client.createEnvironment({ body: { name: "far", platform: "remote" } });
  const place = await crashed.environments.actIn("far");
  const body = { ...orders, ...settledDefaults };
  void crashed.pipelines.create(body, place, { by: crashed.by(), remember: () => [] }).catch(() => {});
  while (crashed.asked.length === 0) await new Promise((next) => setTimeout(next, 5));
  await crashed.close();

  const house = await openHouse(t, { again: crashed });
  await house.work.resume(async (id) => (await house.environments.read(id)).doc.platform);
  const [pipeline] = (await house.client.listPipelines()).pipelines;
  assert.equal(pipeline?.platform_reference, "made there");
  assert.deepEqual(await house.intents(), []);
});

const settledDefaults = {
  configuration: {},
  continuous: false,
  development: false,
  photon: false,
  serverless: false,
  channel: "CURRENT",
  edition: "ADVANCED",
};

test("#13 honours X-Environment-Id: unknown 404, inactive or unspoken 409", async (t) => {
  const { client } = await openHouse(t);
  await client.createEnvironment({ body: { name: "off", isActive: false } });
  await client.createEnvironment({ body: { name: "moon", platform: "lunar" } });
  for (const [environment, status] of [
    ["nowhere", 404],
    ["off", 409],
    ["moon", 409],
  ] as const) {
    assert.equal((await refusal(client.createPipeline({ body: orders, environment }))).status, status);
  }
});
