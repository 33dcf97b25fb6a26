import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import { TargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";

targetSuite(
  "DuckDB as a target",
  async (_, { folder }) => ({ type: "duckdb", config: { path: join(folder, "crm.duckdb") } }),
  // All strategies use one transaction, so one of them is enough.
  (title) => !/^(append|replace): after failures/.test(title),
);

suite("a DuckDB file that others made", () => {
  const endings: (() => Promise<void>)[] = [];
  let shared: TargetHarness;
  before(async () => {
    shared = await TargetHarness.start(endings);
  });
  after(async () => {
    for (const end of endings) await end();
  });

  /** Opens the file for as long as the work takes. */
  async function inFile(path: string, sql: string): Promise<unknown[][]> {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    try {
      return (await connection.runAndReadAll(sql)).getRowsJson();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  test("rows that a constraint refuses are rejected with its reason, and columns of others keep their values", async () => {
    const writing = await shared.withNewFolder();
    const path = join(writing.folder, "crm.duckdb");
    const there = { type: "duckdb", config: { path } };
    await inFile(
      path,
      "CREATE TABLE Orders (ID BIGINT PRIMARY KEY, name VARCHAR NOT NULL, amount INTEGER CHECK (amount < 15), own VARCHAR)",
    );
    const select =
      "SELECT i AS id, CASE WHEN i <> 7 THEN 'n' || i END AS name, i::INTEGER AS amount FROM range(1, 17) r(i)";
    const written = await writing.write(there, { select });
    assert.deepEqual([written.inserted, written.updated, written.rejected.length], [13, 0, 3]);
    assert.match(writing.rejects[0]?.reason ?? "", /NOT NULL constraint failed/);
    assert.deepEqual(writing.rejects[0]?.row, { id: "7", name: null, amount: "7" });
    assert.match(writing.rejects[1]?.reason ?? "", /CHECK constraint failed/);
    await inFile(path, "UPDATE orders SET own = 'kept' WHERE id = 1");
    const again = await writing.write(there, {
      select: "SELECT 1::BIGINT AS id, 'uno' AS name, 1 AS amount",
    });
    assert.deepEqual([again.inserted, again.updated], [0, 1]);
    assert.deepEqual(await inFile(path, "FROM orders WHERE id = 1"), [["1", "uno", 1, "kept"]]);
  });

  test("a table of another schema, which is made with it", async () => {
    const writing = await shared.withNewFolder();
    const there = { type: "duckdb", config: { path: join(writing.folder, "crm.duckdb") } };
    const run = { name: 'sales."all.orders"', select: "SELECT 1 AS id" };
    await writing.write(there, { ...run, whole: true });
    assert.deepEqual(await inFile(there.config.path, 'FROM sales."all.orders"'), [[1]]);
    await assert.rejects(writing.write(there, { ...run, name: "a.b.c" }), /is not a table name/);
  });

  test("a file that another program has open is a retryable problem; one that is none is not", async () => {
    const writing = await shared.withNewFolder();
    const path = join(writing.folder, "crm.duckdb");
    const holding = `const { DuckDBInstance } = await import("@duckdb/node-api"); await DuckDBInstance.create(${JSON.stringify(path)}); console.log("open"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", holding], {
      cwd: import.meta.dirname,
    });
    const gone = once(holder, "exit");
    await once(holder.stdout, "data");
    const write = () => writing.write({ type: "duckdb", config: { path } }, { select: "SELECT 1 AS id" });
    await assert.rejects(
      write,
      (error) =>
        error instanceof DataProblem && error.retryable && /locked by another program/.test(error.message),
    );
    holder.kill("SIGKILL");
    await gone;
    assert.equal((await write()).inserted, 1);

    const text = join(writing.folder, "text.duckdb");
    await writeFile(text, "no database, but a text of some length\n".repeat(200));
    const wrong = writing.write({ type: "duckdb", config: { path: text } }, { select: "SELECT 1 AS id" });
    await assert.rejects(
      wrong,
      (error) => error instanceof DataProblem && !error.retryable && /not a valid DuckDB/.test(error.message),
    );
  });

  test("two runs of one process write to one file in turns", async () => {
    const writing = await shared.withNewFolder();
    const there = { type: "duckdb", config: { path: join(writing.folder, "crm.duckdb") } };
    const other = await shared.withNewFolder();
    const checks = Array.from({ length: 5 }, () => other.with(there, (target) => target.check(["orders"])));
    await writing.write(there, { select: "SELECT i AS id FROM range(1000) r(i)", whole: true });
    for (const findings of await Promise.all(checks)) assert.ok(findings.every(({ ok }) => ok));
    assert.deepEqual(await inFile(there.config.path, "SELECT count(*) FROM orders"), [["1000"]]);
  });
});
