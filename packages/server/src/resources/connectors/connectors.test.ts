import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Connector } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { query } from "../../testing/store.ts";

const unknownId = "019f0000-0000-7000-8000-00000000ffff";

for (const engine of engines) {
  suite(`connectors on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    type Create = Parameters<TestServer["client"]["createConnector"]>[0];
    type Update = Parameters<TestServer["client"]["updateConnector"]>[0]["body"];
    const minimal = (more: Partial<Create["body"]> = {}): Create["body"] => ({
      name: unique("connector"),
      target_type: "warehouse",
      target_config: null,
      created_by: "ada",
      ...more,
    });
    const create = (more: Partial<Create["body"]> = {}, environment?: string) =>
      server.client.createConnector({ body: minimal(more), ...(environment && { environment }) });
    const read = (connector_id: string) => server.client.getConnector({ params: { connector_id } });
    const update = (connector_id: string, body: Update) =>
      server.client.updateConnector({ params: { connector_id }, body });
    const remove = (connector_id: string) => server.client.deleteConnector({ params: { connector_id } });
    const pause = (connector_id: string, reason?: string) =>
      server.client.pauseConnector({ params: { connector_id }, ...(reason && { body: { reason } }) });
    const resume = (connector_id: string) => server.client.resumeConnector({ params: { connector_id } });
    const eventsOf = async (id: string) =>
      (await server.events(undefined, `connector/${id}`)).map(({ kind, data }) => ({ kind, data }));
    const kindsOf = async (id: string) => (await eventsOf(id)).map(({ kind }) => kind);
    const post = async (body: unknown) => {
      const response = await server.fetch("/api/v1/connectors/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, detail: ((await response.json()) as { detail: unknown }).detail };
    };

    test("a replication slot has one reader, in whatever environment", async () => {
      const slot = unique("slot").replaceAll("-", "_").toLowerCase();
      const reading = (config: object) => ({
        target_config: {
          connection: {
            name: "shop",
            type: "postgresql",
            config: { database: "shop", user: "u", password: "p", capture: "log", ...config },
          },
        },
      });
      const named = { host: "DB.example.test", replication_slot: slot };
      const first = await create(reading(named));
      const environment = unique("other");
      await server.client.createEnvironment({ body: { name: environment } });
      const again = reading({ ...named, host: "db.example.test", port: 5432 });
      for (const where of [undefined, environment])
        await refused(create(again, where), 409, /reads the replication slot/);
      const elsewhere = await create(reading({ ...named, host: "db2.example.test" }));
      await refused(update(elsewhere.id, again), 409);
      await update(first.id, { schedule_cron: "0 3 * * *" });
      await create(reading({ ...named, replication_slot: `${slot}_2` }));
      await remove(first.id);
      await create(again);
    });

    test("a minimal request creates an active serverless batch connector with a job and an empty target_config", async () => {
      const name = unique("minimal");
      const created = await create({ name });
      assert.deepEqual(created, {
        id: created.id,
        name,
        target_type: "warehouse",
        target_config: {},
        execution_mode: "batch",
        schedule_cron: null,
        table_update_config: null,
        file_arrival_config: null,
        compute_type: "serverless",
        cluster_config: null,
        status: "active",
        git_commit_id: null,
        git_branch: null,
        workflow_id: `connector-${created.id}`,
        artifacts_path: null,
        error_message: null,
        created_at: created.created_at,
        updated_at: created.created_at,
        created_by: "ada",
        updated_by: null,
        datasets: null,
      } satisfies Connector);
      assert.deepEqual(await read(created.id), created);
      const { id: environment_id } = await server.client.getEnvironment({
        params: { environment_id: "local" },
      });
      assert.deepEqual(await eventsOf(created.id), [
        {
          kind: "connector.created",
          data: { name, environment_id, target_type: "warehouse", status: "active" },
        },
      ]);
    });

    test("target_config must be present, and may be null", async () => {
      const { target_config: _, ...without } = minimal();
      assert.equal((await post(without)).status, 422);
      assert.deepEqual((await create({ target_config: null })).target_config, {});
    });

    test("a connector with an unsupported target keeps the status created and names the reason", async () => {
      const created = await create({ target_type: "punch-cards" });
      assert.equal(created.status, "created");
      assert.equal(created.workflow_id, null);
      assert.equal(
        created.error_message,
        'The platform embedded does not run targets of type "punch-cards".',
      );
      const source = { connection: { name: "erp", type: "sqlserver", config: { host: "erp.example.test" } } };
      const imported = await create({ target_config: source });
      assert.deepEqual([imported.status, imported.workflow_id], ["created", null]);
      assert.match(imported.error_message ?? "", /^The embedded platform does not read SQL Server\./);
      const generatedOnly = await create({ target_type: "sqlserver" });
      assert.equal(generatedOnly.status, "created");
      assert.match(generatedOnly.error_message ?? "", /does not run targets of type "sqlserver"/);
      const changed = await update(created.id, { target_type: "warehouse" });
      assert.deepEqual([changed.status, changed.error_message], ["active", null]);
      assert.equal(changed.workflow_id, `connector-${created.id}`);
    });

    test("schedule_cron must parse in every mode; with six fields the first is seconds", async () => {
      for (const execution_mode of ["batch", "manual", "live"] as const) {
        assert.equal((await post(minimal({ execution_mode, schedule_cron: "every day" }))).status, 422);
      }
      for (const schedule_cron of ["0 6 * * *", "30 0 6 * * *"]) {
        assert.equal((await create({ schedule_cron })).schedule_cron, schedule_cron);
      }
    });

    test("names are unique in an environment, also for concurrent requests and renames", async () => {
      const [name, other] = [unique("one"), unique("elsewhere")];
      await server.client.createEnvironment({ body: { name: other } });
      const taken = (environment: string) =>
        `There is already a connector named "${name}" in the environment "${environment}".`;
      const ended = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => create({ name }, n % 2 ? other : undefined)),
      );
      for (const [place, environment] of ["local", other].entries()) {
        const here = ended.filter((_, n) => n % 2 === place);
        assert.equal(here.filter(({ status }) => status === "fulfilled").length, 1);
        for (const one of here) {
          if (one.status === "fulfilled") continue;
          assert.deepEqual([one.reason.status, one.reason.detail], [409, taken(environment)]);
        }
        const { total } = await server.client.listConnectors({ query: { name }, environment });
        assert.equal(total, 1);
        const second = await create({}, environment);
        await refused(update(second.id, { name }), 409, taken(environment));
        assert.equal((await read(second.id)).name, second.name);
      }
    });

    test("a connector starts paused if asked, and begins when it is resumed", async () => {
      const { id, status, workflow_id } = await create({ schedule_cron: "0 6 * * *", paused: true });
      assert.equal(status, "paused");
      const params = { job_id: workflow_id ?? "" };
      const { paused } = await server.client.getJob({ params });
      assert.equal(paused?.reason, "It was created as paused.");
      const resumed = await server.client.resumeConnector({ params: { connector_id: id } });
      assert.equal(resumed.status, "active");
      assert.equal((await server.client.getJob({ params })).paused, null);
      assert.equal((await create({ paused: false })).status, "active");

      const wrong = await post({ ...minimal(), paused: "later" });
      assert.deepEqual(wrong, { status: 409, detail: "paused must be true or false." });
    });

    test("any plain text is a name; numbers of any size are returned unchanged", async () => {
      for (const word of ["ü 😀", '"', "x".repeat(5000)]) {
        const name = word + unique("odd");
        assert.equal((await create({ name })).name, name);
      }
      const name = unique("digits");
      const raw = `{"name":"${name}","target_type":"warehouse","target_config":{"n":12345678901234567890123},"created_by":"ada"}`;
      const response = await server.fetch("/api/v1/connectors/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: raw,
      });
      assert.match(await response.text(), /"target_config":\{"n":12345678901234567890123\}/);
    });

    test("PATCH is partial, replaces the whole target_config, and reinstalls the job", async () => {
      const created = await create({ target_config: { a: 1, b: 2 }, schedule_cron: "0 6 * * *" });
      const changed = await update(created.id, {
        target_config: { b: 3 },
        artifacts_path: "/a",
        git_branch: "main",
      });
      assert.deepEqual(changed, {
        ...created,
        target_config: { b: 3 },
        artifacts_path: "/a",
        git_branch: "main",
        updated_at: changed.updated_at,
        updated_by: "internal-service",
      });
      assert.equal((await update(created.id, { schedule_cron: null, updated_by: "bob" })).updated_by, "bob");
      assert.equal((await read(created.id)).schedule_cron, null);
      const [first, second] = await eventsOf(created.id);
      assert.deepEqual(second?.data, {
        name: created.name,
        environment_id: first?.data.environment_id,
        fields: ["target_config", "artifacts_path", "git_branch"],
        changes: [
          { path: "artifacts_path", before: null, after: "/a" },
          { path: "git_branch", before: null, after: "main" },
          { path: "target_config.a", before: 1, after: null },
          { path: "target_config.b", before: 2, after: 3 },
        ],
      });
      const { definition } = await server.client.getJob({ params: { job_id: `connector-${created.id}` } });
      assert.deepEqual(definition.trigger, { kind: "manual" });
    });

    test("a PATCH that changes nothing writes nothing", async () => {
      const created = await create({ target_config: { host: "h", password: "p" } });
      for (const body of [{}, { name: created.name }, { target_config: created.target_config }] as Update[]) {
        assert.deepEqual(await update(created.id, body), created);
      }
      assert.deepEqual(await kindsOf(created.id), ["connector.created"]);
    });

    test("the ETag counts versions, and a stale If-Match is 412", async () => {
      const { withResponse } = server.client;
      const created = await withResponse.createConnector({ body: minimal() });
      const params = { connector_id: created.body.id };
      assert.equal(created.etag, '"1"');
      const changed = await withResponse.updateConnector({
        params,
        body: { git_branch: "a" },
        ifMatch: '"1"',
      });
      assert.equal(changed.etag, '"2"');
      assert.equal((await withResponse.getConnector({ params })).etag, '"2"');
      await refused(
        server.client.updateConnector({ params, body: { git_branch: "b" }, ifMatch: '"1"' }),
        412,
      );
      await refused(server.client.deleteConnector({ params, ifMatch: '"1"' }), 412);
      assert.equal((await read(created.body.id)).git_branch, "a");
      await server.client.deleteConnector({ params, ifMatch: '"2"' });
    });

    test("no concurrent change is lost", async () => {
      const { id } = await create();
      const fields = ["artifacts_path", "git_branch", "git_commit_id", "schedule_cron"] as const;
      await Promise.all(fields.map((field) => update(id, { [field]: "0 6 * * *" })));
      const now = await read(id);
      for (const field of fields) assert.equal(now[field], "0 6 * * *");
    });

    test("of 40 concurrent changes without If-Match all are made, also by two servers", async (t) => {
      const { id } = await create();
      const servers = [server];
      if (engine === "postgres") {
        const other = await server.another();
        t.after(() => other.close());
        servers.push(other);
      }
      const changes = Array.from({ length: 40 }, (_, n) => {
        const { client } = servers[n % servers.length] ?? server;
        return client.updateConnector({ params: { connector_id: id }, body: { git_branch: `b${n}` } });
      });
      const branches = (await Promise.all(changes)).map(({ git_branch }) => git_branch);
      assert.equal(new Set(branches).size, 40);
      const updates = (await eventsOf(id)).filter(({ kind }) => kind === "connector.updated");
      assert.equal(updates.length, 40);
    });

    test("secrets are masked in responses, lists and events, kept when the mask is sent back, and encrypted at rest", async () => {
      const value = unique("s3cret");
      const target_config = { host: "db", password: value, headers: { Authorization: value }, port: 5432 };
      const created = await create({ target_config });
      const masked = { host: "db", password: "********", headers: { Authorization: "********" }, port: 5432 };
      assert.deepEqual(created.target_config, masked);
      assert.deepEqual((await read(created.id)).target_config, masked);
      const stored = async () => {
        const [row] = await query(
          server.server.store,
          `select sealed from connectors where id = '${created.id}'`,
        );
        return JSON.parse(server.deps.vault.decrypt(String(row?.sealed)));
      };
      const changed = await update(created.id, { target_config: { ...masked, batch_size: 10 } });
      assert.deepEqual(changed.target_config, { ...masked, batch_size: 10 });
      assert.deepEqual(await stored(), {
        '["target_config","password"]': value,
        '["target_config","headers","Authorization"]': value,
      });
      await update(created.id, { target_config: { password: `${value}-new` } });
      assert.deepEqual(await stored(), { '["target_config","password"]': `${value}-new` });
      const everything = [
        await server.rows(),
        await server.client.listConnectors({ query: { limit: 1000 } }),
      ];
      assert.doesNotMatch(encodeJson(everything), new RegExp(value));
      assert.doesNotMatch(server.logged.join(""), new RegExp(value));
    });

    test("every free-form map of a connector masks its secrets, also of a dataset whose position changes", async () => {
      const value = unique("s3cret");
      const map = { token: value };
      const created = await create({
        table_update_config: map,
        file_arrival_config: map,
        datasets: ["a", "b"].map((name) => ({
          source_dataset: name,
          target_name: name,
          custom_config: { password: `${value}-${name}` },
        })),
      });
      assert.deepEqual(created.table_update_config, { token: "********" });
      assert.deepEqual(created.file_arrival_config, { token: "********" });
      assert.deepEqual(
        created.datasets?.map(({ custom_config }) => custom_config),
        [{ password: "********" }, { password: "********" }],
      );
      const [first, second] = created.datasets ?? [];
      await server.client.removeDataset({
        params: { connector_id: created.id, dataset_id: first?.id ?? "" },
      });
      const [row] = await query(
        server.server.store,
        `select sealed from connectors where id = '${created.id}'`,
      );
      const kept = JSON.parse(server.deps.vault.decrypt(String(row?.sealed)));
      assert.equal(kept[JSON.stringify(["datasets", second?.id, "password"])], `${value}-b`);
      assert.equal(kept[JSON.stringify(["datasets", first?.id, "password"])], undefined);
      assert.doesNotMatch(encodeJson(await server.rows()), new RegExp(value));
    });

    test("until must be in the future", async () => {
      const { id } = await create();
      const paused = (until: string) =>
        server.client.pauseConnector({ params: { connector_id: id }, body: { until } });
      await assert.rejects(paused("yesterday"), { kind: "conflict" });
      await assert.rejects(paused("2020-01-01T00:00:00Z"), { kind: "conflict" });
      assert.equal((await read(id)).status, "active");
    });

    test("a pause keeps the declared schedule and survives an update; a second pause changes nothing", async () => {
      const { id, name } = await create({ schedule_cron: "0 6 * * *" });
      const paused = await pause(id, "migration tonight");
      assert.deepEqual([paused.status, paused.schedule_cron], ["paused", "0 6 * * *"]);
      assert.deepEqual(await pause(id), paused);
      assert.equal((await pause(id, "and tomorrow")).status, "paused");
      const changed = await update(id, { schedule_cron: "0 7 * * *" });
      assert.deepEqual([changed.status, changed.schedule_cron], ["paused", "0 7 * * *"]);
      const resumed = await resume(id);
      assert.deepEqual([resumed.status, resumed.schedule_cron], ["active", "0 7 * * *"]);
      assert.deepEqual(await resume(id), resumed);
      assert.deepEqual(await kindsOf(id), [
        "connector.created",
        "connector.paused",
        "connector.paused",
        "connector.updated",
        "connector.resumed",
      ]);
      const [made, first, second] = await eventsOf(id);
      const about = { name, environment_id: made?.data.environment_id };
      assert.deepEqual(first?.data, { ...about, reason: "migration tonight", until: null });
      assert.deepEqual(second?.data, { ...about, reason: "and tomorrow", until: null });
    });

    test("a connector without a job can be neither paused nor resumed", async () => {
      const { id } = await create({ target_type: "punch-cards" });
      await refused(pause(id), 409, "A connector with the status created cannot be paused.");
      await refused(resume(id), 409, "A connector with the status created cannot be resumed.");
    });

    test("DELETE removes the connector, and its name is free again", async () => {
      const { id, name } = await create();
      assert.deepEqual(await remove(id), { success: true, message: `Connector ${name} deleted.` });
      await refused(read(id), 404, `There is no connector ${id}.`);
      await refused(remove(id), 404);
      assert.deepEqual(await kindsOf(id), ["connector.created", "connector.deleted"]);
      assert.notEqual((await create({ name })).id, id);
    });

    test("of concurrent deletions one succeeds, the others are 404", async () => {
      const { id } = await create();
      const ended = await Promise.allSettled([1, 2, 3].map(() => remove(id)));
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 404);
    });

    test("the list is paged, oldest first, and stable while connectors are added and removed", async () => {
      const environment = unique("pages");
      await server.client.createEnvironment({ body: { name: environment } });
      const created: string[] = [];
      for (let n = 0; n < 6; n++) created.push((await create({}, environment)).id);
      const page = async (skip: number, limit: number) => {
        const got = await server.client.listConnectors({ query: { skip, limit }, environment });
        return { ids: got.connectors.map(({ id }) => id), total: got.total };
      };
      assert.deepEqual(await page(0, 3), { ids: created.slice(0, 3), total: 6 });
      // Connectors created during pagination appear at the end.
      const late = (await create({}, environment)).id;
      await create();
      assert.deepEqual(await page(3, 100), { ids: [...created.slice(3), late], total: 7 });
      await remove(created[1] as string);
      assert.deepEqual(await page(0, 2), { ids: [created[0], created[2]], total: 6 });
      assert.deepEqual(await page(6, 1), { ids: [], total: 6 });
      for (const query of ["skip=-1", "limit=0", "limit=1001"]) {
        assert.equal((await server.fetch(`/api/v1/connectors/?${query}`)).status, 422, query);
      }
      const all = await server.client.listConnectors({ query: { limit: 1000 } });
      assert.ok(all.total > 6 && all.connectors.length === all.total, "without the header: all environments");
    });

    test("an unknown connector is 404", async () => {
      const dataset = { params: { connector_id: unknownId, dataset_id: unknownId } };
      const orders = { source_dataset: "s", target_name: "t" };
      for (const call of [
        () => read(unknownId),
        () => update(unknownId, {}),
        () => remove(unknownId),
        () => pause(unknownId),
        () => resume(unknownId),
        () => server.client.addDataset({ ...dataset, body: orders }),
        () => server.client.updateDataset({ ...dataset, body: {} }),
        () => server.client.removeDataset(dataset),
      ]) {
        await refused(call(), 404, `There is no connector ${unknownId}.`);
      }
    });
  });
}
