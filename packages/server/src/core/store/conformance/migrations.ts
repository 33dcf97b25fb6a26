import assert from "node:assert/strict";
import test from "node:test";
import { type Compilable, CompiledQuery } from "kysely";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import {
  addConnector,
  context,
  count,
  emptyTestDatabase,
  fresh,
  query,
  run,
  testStoreOn,
} from "../../../testing/store.ts";
import { collection, type Scope, type Stored } from "../collection.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { createLineageRows, fillLineage } from "../lineage-rows.ts";
import { fillListColumns } from "../list-backfill.ts";
import { migrate, versionOf } from "../migrate.ts";
import { type Migration, migrations } from "../migrations.ts";
import { resourceTables } from "../tables.ts";

const raw = (sql: string): Compilable => ({ compile: () => CompiledQuery.raw(sql) });

/** A step after all released ones. */
const notes: Migration = {
  name: "notes",
  up: () => [
    raw("create table notes (note text not null unique)"),
    raw("insert into notes values ('written once')"),
  ],
};
const broken: Migration = {
  name: "broken",
  up: () => [raw("create table halfway (n integer)"), raw("insert into notes values ('written once')")],
};
const newest = migrations.length;

export function migrationTests(name: EngineName): void {
  test("an empty database gets the whole schema", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();

    assert.equal(await migrate(engine), newest);

    for (const table of resourceTables) assert.equal(await count({ engine }, table), 0);
    assert.equal(await versionOf(engine), newest);
  });

  test("a second start changes nothing", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    await migrate(engine);
    const before = await schemaOf(engine);

    assert.equal(await migrate(engine), newest);

    assert.deepEqual(await schemaOf(engine), before);
    assert.ok(before.length > resourceTables.length);
  });

  test("a start on an older schema migrates it and keeps the rows", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    await migrate(engine);
    const store = testStoreOn(engine);
    await addConnector(store, fresh("kept"));

    assert.equal(await migrate(engine, [...migrations, notes]), newest + 1);

    const [note] = await query(store, "select note from notes");
    assert.equal(note?.note, "written once");
    assert.equal(await count(store, "connectors"), 1);
  });

  test("the migration counts existing deployments", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const counted = migrations.findIndex((migration) => migration.name === "deployment counts");
    await migrate(engine, migrations.slice(0, counted));
    const row = (table: string, position: number, environment: string | null, state: string | null) => ({
      sql: `insert into ${table} (position, id, key, version, environment_id, state, doc) values (${[
        position,
        `'${table}-${position}'`,
        `'${position}'`,
        1,
        environment === null ? "null" : `'${environment}'`,
        state === null ? "null" : `'${state}'`,
        "'{}'",
      ].join(", ")})`,
      parameters: [],
    });
    await engine.write([
      row("environments", 1, null, null),
      row("environments", 2, null, null),
      row("deployments", 1, "environments-1", "succeeded"),
      row("deployments", 2, "environments-1", "pending"),
      row("deployments", 3, "environments-1", "succeeded"),
      row("deployments", 4, "environments-2", "failed"),
      // The environment of this deployment was deleted.
      row("deployments", 5, null, "succeeded"),
    ]);

    await migrate(engine);

    const counts = await query({ engine }, "select * from deployment_counts order by environment_id, status");
    assert.deepEqual(
      counts.map(({ environment_id, status, n }) => [environment_id, status, n]),
      [
        ["environments-1", "pending", 1],
        ["environments-1", "succeeded", 2],
        ["environments-2", "failed", 1],
      ],
    );
  });

  test("the migration of connector names puts them into their environments", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const named = migrations.findIndex((migration) => migration.name === "connector names by environment");
    await migrate(engine, migrations.slice(0, named));
    const columns = "position, id, key, version, environment_id, doc";
    await run(
      { engine },
      `insert into environments (${columns}) values (1, 'e-1', '["prod"]', 1, null, '{}')`,
    );
    const keys = ['["orders"]', `sha256:${"0".repeat(64)}`];
    for (const [n, key] of keys.entries()) {
      await run(
        { engine },
        `insert into connectors (${columns}) values (${n}, 'c-${n}', '${key}', 1, 'e-1', '{}')`,
      );
    }

    await migrate(engine);

    const after = await query({ engine }, "select key from connectors order by position");
    assert.deepEqual(
      after.map(({ key }) => key),
      keys.map((key) => `e-1/${key}`),
    );
  });

  test("the migration gives runs the kind and name of their job, if it still exists", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const named = migrations.findIndex((migration) => migration.name === "names of runs");
    await migrate(engine, migrations.slice(0, named));
    const environment = "position, id, key, version, doc";
    await run({ engine }, `insert into environments (${environment}) values (1, 'e-1', 'k', 1, '{}')`);
    await run(
      { engine },
      `insert into jobs (id, environment_id, kind, subject, name, definition, trigger, memory, failures,
         created_at, installed_at, version)
       values ('flow-1', 'e-1', 'flow', 'flow/1', '"daily"', '{}', 'manual', '{}', 0, '', '', 1)`,
    );
    for (const job of ["flow-1", "flow-2"]) {
      await run(
        { engine },
        `insert into runs (id, job_id, environment_id, slot, status, cause, attempt, queued_at, metrics)
         values ('of ${job}', '${job}', 'e-1', 'once', 'succeeded', '{}', 1, '', '{}')`,
      );
    }

    await migrate(engine);

    const after = await query({ engine }, "select kind, name from runs order by id");
    assert.deepEqual(
      after.map((row) => [row.kind, row.name]),
      [
        ["flow", '"daily"'],
        [null, null],
      ],
    );
  });

  test("the table of requests to the embedded platform is dropped with its rows", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const dropped = migrations.findIndex((migration) => migration.name === "no embedded records");
    await migrate(engine, migrations.slice(0, dropped));
    const columns = "id, environment_id, kind, subject, data";
    const values = "'i-1', 'e-1', 'component.start', 'agent/a-1', '{}'";
    await run({ engine }, `insert into embedded_records (${columns}) values (${values})`);

    await migrate(engine);

    await assert.rejects(query({ engine }, "select * from embedded_records"), /embedded_records/);
  });

  test("the migration turns intents and deliveries into outbox entries, in order", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const outbox = migrations.findIndex((migration) => migration.name === "outbox");
    await migrate(engine, migrations.slice(0, outbox));
    const intent = (id: string, environment: string | null, kind: string, subject: string, data: object) => ({
      sql: `insert into intents (id, environment_id, kind, subject, data) values (${[
        `'${id}'`,
        environment === null ? "null" : `'${environment}'`,
        `'${kind}'`,
        `'${subject}'`,
        `'${JSON.stringify(data)}'`,
      ].join(", ")})`,
      parameters: [],
    });
    await engine.write([
      intent("2", "e", "job.remove", "connector/c", { name: "b" }),
      intent("1", "e", "component.start", "agent/a", { name: 'quoted "a"', n: 9007199254740993n.toString() }),
      intent("3", null, "file.put", "files/folder", { environmentId: "e", path: 'dir/"x"' }),
      intent("4", null, "summary.reconcile", "environment/e", {}),
      ...["waiting", "delivered", "dead"].map((state) => ({
        sql: `insert into deliveries (id, channel, environment_id, state, attempts, next_at, ended_at, doc)
              values ('${state}', 'b', 'e', '${state}', 2, null, null, '{"time":"2026-03-01T12:00:00.000Z"}')`,
        parameters: [],
      })),
      intent("5", null, "pipeline.free", 'pipeline/my "own"', { environment_id: "e" }),
    ]);

    await migrate(engine);

    const deliveries = await query(
      { engine },
      "select * from outbox where topic = 'chat.delivery' order by sequence",
    );
    assert.deepEqual(
      deliveries.map(({ id, key, state, attempts, created_at }) => [id, key, state, attempts, created_at]),
      [
        ["waiting", "chat/b", "pending", 2, "2026-03-01T12:00:00.000Z"],
        ["dead", "chat/b", "dead", 2, "2026-03-01T12:00:00.000Z"],
      ],
    );
    const rows = await query(
      { engine },
      "select * from outbox where topic <> 'chat.delivery' order by sequence",
    );
    assert.deepEqual(
      rows.map(({ id, topic, key, environment_id, payload }) => [
        id,
        topic,
        key,
        environment_id,
        JSON.parse(String(payload)),
      ]),
      [
        [
          "1",
          "agent.platform",
          "platform/e",
          "e",
          {
            kind: "component.start",
            subject: "agent/a",
            data: { name: 'quoted "a"', n: "9007199254740993" },
          },
        ],
        [
          "2",
          "connector.platform",
          "platform/e",
          "e",
          { kind: "job.remove", subject: "connector/c", data: { name: "b" } },
        ],
        ["3", "file", "files/folder/e", "e", { kind: "file.put", path: 'dir/"x"', dataFolderId: "folder" }],
        ["4", "environment.summary", "summary/e", "e", {}],
        ["5", "pipeline.free", 'tables/my "own"', "e", { environment_id: "e", pipeline_id: 'my "own"' }],
      ],
    );
    for (const { state, attempts, next_at, created_at } of rows) {
      assert.deepEqual([state, attempts, next_at], ["pending", 0, created_at]);
      assert.match(String(next_at), /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  test("releases of agents get their own table, and both tables list what is in them", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const split = migrations.findIndex((migration) => migration.name === "environments of agents");
    await migrate(engine, migrations.slice(0, split));
    const environmentId = "e";
    const columns = "(position, id, key, version, environment_id, owner, state, doc, sealed)";
    await run(
      { engine },
      `insert into environments ${columns} values (1, 'e', 'e', 1, null, null, null, '{}', null)`,
    );
    const states = ["installed", "agent_release", "none", "agent_presence", "agent_release"];
    for (const [n, state] of states.entries()) {
      const owner = state.startsWith("agent") ? "agent" : "automation";
      const doc = `{"name":"${n === 1 ? "changed" : `r${n}`}"}`;
      const values = `${n + 1}, 'r${n}', 'r${n}', ${n + 1}, 'e', '${owner}', '${state}', '${doc}', 's${n}'`;
      await run({ engine }, `insert into releases ${columns} values (${values})`);
    }
    await run({ engine }, "update positions set next = 5 where list = 'releases'");
    const changed = {
      id: "r1",
      key: "r1",
      version: 2,
      environmentId,
      owner: "agent",
      state: "agent_release",
      doc: { name: "changed" },
      sealed: "s1",
      chargedTo: null,
    };

    await migrate(engine);

    const store = testStoreOn(engine);
    const releases = collection<{ name: string }>(store, "releases");
    const environments = collection<{ name: string }>(store, "agent_environments");
    assert.deepEqual(await environments.get("r1"), changed);
    assert.equal(await releases.get("r1"), undefined);
    const namesIn = async (rows: typeof releases, scope: Scope) => {
      const { items, total } = await rows.items(scope, 0, 10);
      assert.equal(items.length, total);
      return items.map((text) => JSON.parse(text).name);
    };
    for (const scope of [{}, { environmentId }, { owner: "automation" }]) {
      assert.deepEqual(await namesIn(releases, scope), ["r0", "r2"]);
    }
    for (const scope of [{}, { environmentId }, { owner: "agent" }]) {
      assert.deepEqual(await namesIn(environments, scope), ["changed", "r3", "r4"]);
    }
    assert.deepEqual(await namesIn(releases, { owner: "agent" }), []);

    await store.apply({ context, steps: environments.insert(fresh("r5")), events: [] });
    await store.apply({ context, steps: releases.insert(fresh("r6")), events: [] });
    assert.deepEqual(await namesIn(environments, {}), ["changed", "r3", "r4", "r5"]);
    assert.deepEqual(await namesIn(releases, {}), ["r0", "r2", "r6"]);
    const kept = (await environments.get("r1")) as Stored<{ name: string }>;
    await store.apply({ context, steps: environments.remove(kept), events: [] });
    assert.deepEqual(await namesIn(environments, { owner: "agent" }), ["r3", "r4"]);
  });

  test("the start fills the list columns of rows that an earlier version has written", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    const listed = migrations.findIndex((migration) => migration.name === "list columns");
    await migrate(engine, migrations.slice(0, listed));
    const doc = (n: number) => ({
      name: n === 7 ? "a\0b" : `Ä${n}`,
      status: n % 2 === 0 ? "active" : "paused",
      created_at: `2026-03-01T12:00:0${n % 10}.000Z`,
      created_by: "ada",
    });
    for (let n = 1; n <= 501; n++) {
      const values = `${n}, 'id-${n}', 'key-${n}', 1, '${JSON.stringify(doc(n))}'`;
      await run({ engine }, `insert into connectors (position, id, key, version, doc) values (${values})`);
    }
    await run({ engine }, "update positions set next = 501 where list = 'connectors'");
    await migrate(engine);

    await fillListColumns(engine);

    const rows = collection(testStoreOn(engine), "connectors");
    const total = async (more: object) => (await rows.list({}, { skip: 0, limit: 1, ...more })).total;
    assert.equal(await total({ status: "paused" }), 251);
    assert.equal(await total({ search: "ä50" }), 3);
    assert.equal(await total({ name: "a\0b", owner: "ada" }), 1);
    assert.equal(await total({ created_after: "2026-03-01T12:00:09.000Z" }), 50);
  });

  test("the start fills the lineage of rows that an earlier version has written", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    await migrate(
      engine,
      migrations.slice(
        0,
        migrations.findIndex((migration) => migration.name === "lineage"),
      ),
    );
    const store = { engine };
    const environment = "values (1, 'e', 'e', 1, '{}')";
    await run(store, `insert into environments (position, id, key, version, doc) ${environment}`);
    const row = (table: string, n: number, id: string, owner: string, doc: object) =>
      run(
        store,
        `insert into ${table} (position, id, key, version, environment_id, owner, doc)
          values (${n}, '${id}', '${id}', 1, 'e', '${owner}', '${JSON.stringify(doc)}')`,
      );
    const definition = { target_name: "shop.daily", source_tables: ["shop.orders"], matched_sql: "select 1" };
    await row("flows", 1, "f", "", { name: "daily", workflow_id: "flow-f", definition });
    // More characters than are read at once.
    const datasets = [{ source_dataset: "orders", target_name: "o".repeat(300_000) }];
    for (let n = 1; n <= 3; n++)
      await row("connectors", n, `c${n}`, "", { name: `in-${n}`, target_type: "warehouse", datasets });
    await row("releases", 1, "r1", "a", { artifact: "automation/nightly", workflow_id: null });
    await migrate(engine);

    await fillLineage(engine);
    await fillLineage(engine);

    const rows = createLineageRows(testStoreOn(engine)).inEnvironment("e");
    const found = await Array.fromAsync(
      rows,
      ({ kind, id, name, job, declared: { code: _, ...declared } }) => ({
        ...{ kind, id, name, job },
        ...Object.fromEntries(Object.entries(declared).filter(([, names]) => (names as string[]).length > 0)),
      }),
    );
    assert.deepEqual(
      found.map((one) => JSON.parse(JSON.stringify(one).replaceAll("o".repeat(300_000), "orders"))),
      [
        ...["c1", "c2", "c3"].map((id, n) => ({
          ...{ kind: "connector", id, name: `in-${n + 1}`, job: null },
          writes: ["orders"],
        })),
        {
          ...{ kind: "flow", id: "f", name: "daily", job: "flow-f" },
          ...{ reads: ["shop.orders"], writes: ["shop.daily"] },
        },
        { kind: "automation", id: "r1", name: "nightly", job: null },
      ],
    );
  });

  test("a start on a newer schema fails with a message and changes nothing", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    await migrate(engine, [...migrations, notes]);
    const before = await schemaOf(engine);

    await assert.rejects(migrate(engine), {
      message:
        `The database has schema version ${newest + 1}, but this version of Lakehelm supports only ${newest}. ` +
        "Start the newer version that wrote it, or restore an older backup.",
    });

    assert.deepEqual(await schemaOf(engine), before);
    assert.equal(await versionOf(engine), newest + 1);
  });

  test("a failed migration leaves the older schema unchanged and reports it", async (t) => {
    const engine = await (await emptyTestDatabase(t, name)).open();
    await migrate(engine, [...migrations, notes]);
    const before = await schemaOf(engine);

    await assert.rejects(migrate(engine, [...migrations, notes, broken]), /cannot be migrated/);

    assert.deepEqual(await schemaOf(engine), before);
    assert.equal(await versionOf(engine), newest + 1);
  });

  test("of servers that start concurrently, one migrates", async (t) => {
    const database = await emptyTestDatabase(t, name);
    const starting = await Promise.all(Array.from({ length: 4 }, () => database.open()));

    const versions = await Promise.all(starting.map((engine) => migrate(engine, [...migrations, notes])));

    assert.deepEqual(versions, Array(4).fill(newest + 1));
    assert.equal(await count({ engine: starting[0] as Database }, "notes"), 1);
  });
}

function schemaOf(engine: Database): Promise<DatabaseRow[]> {
  return query(
    { engine },
    engine.name === "sqlite"
      ? "select type, name, sql from sqlite_master order by type, name"
      : `select table_name as name, column_name || ' ' || data_type as sql from information_schema.columns
           where table_schema = 'public'
         union all select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
  );
}
