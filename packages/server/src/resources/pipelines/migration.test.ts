/** Pipelines from versions that could not run them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../core/store/migrate.ts";
import { migrations } from "../../core/store/migrations.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { emptyTestDatabase, query, run } from "../../testing/store.ts";

for (const engine of engines) {
  test(`on ${engine} the migration removes the stored health, which was never computed`, async (t) => {
    const store = { engine: await (await emptyTestDatabase(t, engine)).open() };
    await migrate(store.engine, migrations.slice(0, 3));
    const doc =
      '{"pipeline_id":"p","name":"orders","platform_managed":true,"health":{"status":"UNKNOWN","last_update_time":null,' +
      '"last_success_time":null,"last_failure_time":null,"consecutive_failures":0,"is_stale":false},"latest_updates":[],' +
      '"environment_id":"e"}';
    const insert = (id: string, position: number, state: string) =>
      `insert into pipelines (id, key, position, version, state, doc) values ('${id}', '["${id}"]', ${position}, 1, ${state}, '${doc}')`;
    await run(store, insert("installed", 1, "null"), insert("pending", 2, "'019f'"));
    await migrate(store.engine);
    const rows = await query(store, "select state, doc from pipelines order by position");
    const left = { pipeline_id: "p", name: "orders", platform_managed: true, environment_id: "e" };
    assert.deepEqual(
      rows.map(({ state, doc }) => [state, JSON.parse(String(doc))]),
      [
        ["not installed", left],
        ["019f", left],
      ],
    );
  });
}

test("pipelines that were not installed are installed at the next start", async (t) => {
  const first = await startTestServer();
  const body = { name: "orders", libraries: [{ file: { path: "orders.sql" } }] };
  const { pipeline_id } = await first.client.createPipeline({ body });
  await run(first.server.store, "update pipelines set state = 'not installed'", "delete from jobs");
  const second = await first.restart();
  t.after(() => second.close());
  const { jobs } = await second.client.listJobs({});
  assert.deepEqual(
    jobs.map(({ id }) => id),
    [`pipeline-${pipeline_id}`],
  );
  const [row] = await query(second.server.store, "select state from pipelines");
  assert.equal(row?.state, null);
});
