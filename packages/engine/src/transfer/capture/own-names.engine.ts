/** A replication slot and a publication with names of their own, which an administrator may prepare before the first run. */
import assert from "node:assert/strict";
import { after, suite, type TestContext, test } from "node:test";
import type { CaptureRequest, Dataset } from "../../protocol/transfer.ts";
import { captureRequest, startLogServer } from "../../testing/capture-harness.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { sqlName } from "../../warehouse/names.ts";
import { checkConnection } from "../connection-check.ts";
import { capture } from "./capture.ts";
import { endCapture } from "./capture-end.ts";

const { connection, client } = await startLogServer({ after });
const orders = sqlName({ catalog: "main", schema: "default", table: "orders" });
const slots = async () =>
  (await client.query("SELECT slot_name AS name FROM pg_replication_slots ORDER BY 1")).rows.map(
    ({ name }) => name,
  );
const publications = async () =>
  (await client.query("SELECT pubname AS name FROM pg_publication ORDER BY 1")).rows.map(({ name }) => name);

async function start(t: TestContext) {
  const harness = await startTransferHarness(t);
  await client.query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)");
  await client.query(
    "CREATE ROLE loader LOGIN REPLICATION PASSWORD 'loader'; GRANT SELECT ON orders TO loader",
  );
  t.after(async () => {
    await client.query(
      "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots; DROP TABLE IF EXISTS orders, more",
    );
    for (const name of await publications())
      await client.query(`DROP PUBLICATION "${name.replaceAll('"', '""')}"`);
    await client.query("DROP OWNED BY loader; DROP ROLE loader");
  });
  const own = (config: Readonly<Record<string, unknown>>) => ({
    ...connection,
    config: { ...connection.config, ...config },
  });
  const request = (
    config: Readonly<Record<string, unknown>>,
    more: Partial<CaptureRequest> = {},
    datasets: readonly Partial<Dataset>[] = [{}],
  ) => captureRequest(own(config), datasets, { connector: "c1", ...more });
  return {
    ...harness,
    request,
    async run(config: Readonly<Record<string, unknown>>, more: Partial<CaptureRequest> = {}) {
      const { datasets } = await capture(request(config, more), harness.context);
      const failure = datasets.find((one) => one.failure)?.failure;
      if (failure) throw new Error(failure.sentence);
      return datasets[0]?.result;
    },
    async check(config: Readonly<Record<string, unknown>>, connector = "c1") {
      const { scope, connection: used, datasets } = request(config);
      const findings = await checkConnection(
        { scope, direction: "in", connector, connection: used, datasets },
        harness.context,
      );
      return findings.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
    },
    end: (config: Readonly<Record<string, unknown>>, connector = "c1") =>
      endCapture(
        {
          scope: { environment: "test", catalog: "main", schema: "default" },
          connector,
          connection: own(config),
        },
        harness.context,
      ),
    ids: async () => (await harness.rows(`SELECT id FROM ${orders} ORDER BY 1`)).flat(),
  };
}

const named = {
  user: "loader",
  password: "loader",
  replication_slot: "dba_slot",
  publication: `The "DBA's" own`,
};

suite("names of the slot and of the publication", () => {
  test("what an administrator has prepared is used, not changed, and not removed", async (t) => {
    const { run, check, end, ids, request, context } = await start(t);
    assert.match(
      (await check(named)).join(),
      /Let the owner run: CREATE PUBLICATION "The ""DBA's"" own" FOR TABLE/,
    );
    await client.query(`CREATE PUBLICATION "The ""DBA's"" own" FOR TABLE orders`);
    await client.query("SELECT pg_create_logical_replication_slot('dba_slot', 'pgoutput')");
    assert.deepEqual(await check(named), []);
    await run(named);
    await client.query("INSERT INTO orders VALUES (2); DELETE FROM orders WHERE id = 1");
    await run(named);
    assert.deepEqual(await ids(), [2]);
    assert.deepEqual(await slots(), ["dba_slot"]);

    // Another table: the publication is not the connector's own, also for a role that could change it.
    await client.query("CREATE TABLE more (id int PRIMARY KEY)");
    const both = request({ ...named, ...connection.config }, {}, [{ source: "orders" }, { source: "more" }]);
    await assert.rejects(
      capture(both, context),
      /does not have more, and this connector did not create it.*ALTER PUBLICATION "The ""DBA's"" own" ADD TABLE "public"."more";/,
    );

    const { removed, left } = await end(named);
    assert.equal(removed, true);
    assert.match(
      left ?? "",
      /dba_slot was not created by the connector.*pg_drop_replication_slot\('dba_slot'\);/,
    );
    assert.deepEqual([await slots(), await publications()], [["dba_slot"], [`The "DBA's" own`]]);
  });

  test("a prepared slot of another kind, of another reader, and one that was lost", async (t) => {
    const { run, check, ids } = await start(t);
    await client.query("CREATE PUBLICATION p FOR TABLE orders");
    const config = { ...named, publication: "p" };
    await client.query("SELECT pg_create_logical_replication_slot('dba_slot', 'test_decoding')");
    const refused =
      /dba_slot .* cannot be used \(plugin test_decoding.*pg_create_logical_replication_slot\('dba_slot', 'pgoutput'\);/;
    assert.match((await check(config)).join(), refused);
    await assert.rejects(run(config), refused);
    await client.query(
      "SELECT pg_drop_replication_slot('dba_slot'); SELECT pg_create_logical_replication_slot('dba_slot', 'pgoutput')",
    );
    await run(config);
    const shared = /The connector c1 reads the replication slot dba_slot.*another replication_slot/;
    await assert.rejects(run(config, { connector: "c2" }), shared);
    assert.match((await check(config, "c2")).join(), shared);
    await client.query(
      "SELECT pg_drop_replication_slot('dba_slot'); SELECT pg_create_logical_replication_slot('dba_slot', 'pgoutput'); INSERT INTO orders VALUES (7)",
    );
    await client.query("SELECT pg_replication_slot_advance('dba_slot', pg_current_wal_lsn())");
    await assert.rejects(run(config), /Changes are lost.*full_refresh/);
    await run(config, { fromStart: true });
    assert.deepEqual(await ids(), [1, 7]);
  });

  test("names that the connector creates are its own, also if they change later", async (t) => {
    const { run, end, ids } = await start(t);
    const [first, second] = [
      { replication_slot: "one", publication: "one" },
      { replication_slot: "two", publication: "two" },
    ];
    await run(first);
    assert.deepEqual([await slots(), await publications()], [["one"], ["one"]]);
    await client.query("INSERT INTO orders VALUES (2)");
    await assert.rejects(
      run(second),
      /Changes are lost: .*another replication slot \(two, before one\).*full_refresh/,
    );
    assert.deepEqual(await slots(), ["one"]);
    await run(second, { fromStart: true });
    assert.deepEqual([await slots(), await publications()], [["two"], ["two"]]);
    // A slot that was created after the last run may lack changes.
    await client.query("SELECT pg_create_logical_replication_slot('three', 'pgoutput')");
    await client.query("INSERT INTO orders VALUES (3)");
    const third = { ...second, replication_slot: "three" };
    await assert.rejects(run(third), /Changes are lost/);
    await run(third, { fromStart: true });
    assert.deepEqual(await ids(), [1, 2, 3]);
    assert.deepEqual(await slots(), ["three"]);
    // Another publication has taken its name.
    await client.query(
      "DROP PUBLICATION two; CREATE PUBLICATION two FOR TABLE orders WITH (publish_via_partition_root = true)",
    );
    await run(third);
    const { left } = await end(third);
    assert.match(left ?? "", /three/);
    assert.deepEqual([await slots(), await publications()], [["three"], ["two"]]);
  });

  test("names that PostgreSQL does not accept are refused", async (t) => {
    const { check } = await start(t);
    for (const config of [
      { replication_slot: "Has-Capitals" },
      { replication_slot: "x".repeat(64) },
      { publication: "é".repeat(32) },
    ])
      assert.match(
        (await check(config)).join(),
        /connection\.config\.(replication_slot|publication): it must have 1 to 63/,
      );
  });
});
