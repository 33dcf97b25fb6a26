/** Internal tables with deleted rows everywhere. limits.engine.ts tests the tables of callers. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { openPipelineHarness } from "../pipelines/testing/pipeline.ts";
import { sentRowsTable } from "./internal-tables.ts";
import { quote } from "./names.ts";
import { scalar } from "./relation.ts";
import { Warehouse } from "./warehouse.ts";

/** With this much memory, tables are checked if they have more than 2 million rows together. */
const memoryMb = 64;

test("the record of sent rows is rewritten when a warehouse is opened", onlyNightly, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-compaction-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const sent = sentRowsTable("shop");
  const open = async () => {
    const warehouse = await Warehouse.open({ folder, memoryMb, threads: 2 });
    await warehouse.attach("shop");
    return { warehouse, connection: await warehouse.connect() };
  };
  const first = await open();
  await first.connection.run(`INSERT INTO ${sent} SELECT 'a', id FROM range(2500000) r(id)`);
  await first.connection.run(`DELETE FROM ${sent} WHERE hash % 1000 = 7`);
  first.connection.closeSync();
  first.warehouse.close();
  const { warehouse, connection } = await open();
  t.after(() => warehouse.close());
  const kept = await scalar(
    connection,
    `SELECT concat(count(*), ' ', sum(hash), ' ', max(rowid)) FROM ${sent}`,
  );
  connection.closeSync();
  assert.equal(kept, "2497500 3121874982500 2497499");
});

test("the state of AUTO CDC is rewritten if events change it everywhere", onlyNightly, async (t) => {
  const harness = await openPipelineHarness(t, memoryMb);
  const code = `CREATE OR REFRESH STREAMING TABLE latest;
    CREATE FLOW into_latest AS AUTO CDC INTO latest FROM STREAM(changes) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 1;`;
  await harness.run("CREATE TABLE changes (id BIGINT, seq BIGINT)");
  await harness.run("INSERT INTO changes SELECT id, 1 FROM range(1000000) AS r(id)");
  await harness.update(code);
  await harness.run("INSERT INTO changes SELECT id, 2 FROM range(1000000) AS r(id) WHERE id % 1000 = 7");
  await harness.update(code);
  const [state] = await harness.internalRows(
    "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'latest of %'",
  );
  const kept = await harness.internalRows(
    `SELECT count(*), max(rowid) FROM shop._lakehelm.${quote(state ?? "")}`,
  );
  assert.deepEqual(kept, ["1000000 999999"]);
});
