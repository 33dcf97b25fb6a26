import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import { sharedTargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";

targetSuite(
  "DuckDB as a target",
  async (_, { folder }) => ({ type: "duckdb", config: { path: join(folder, "crm.duckdb") } }),
  // All strategies write in one transaction, so the failure tests of one strategy are enough.
  (title) => !/^(append|replace): after failures/.test(title),
);

suite("an existing DuckDB file", () => {
  const newHarness = sharedTargetHarness();

  /** Opens the file, runs the SQL and closes the file. */
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

  test("rows that violate a constraint are rejected with the reason, and other columns keep their values", async () => {
    const harness = await newHarness();
    const path = join(harness.folder, "crm.duckdb");
    const connection = { type: "duckdb", config: { path } };
    await inFile(
      path,
      "CREATE TABLE Orders (ID BIGINT PRIMARY KEY, name VARCHAR NOT NULL, amount INTEGER CHECK (amount < 15), own VARCHAR)",
    );
    const select =
      "SELECT i AS id, CASE WHEN i <> 7 THEN 'n' || i END AS name, i::INTEGER AS amount FROM range(1, 17) r(i)";
    const written = await harness.write(connection, { select });
    assert.deepEqual([written.inserted, written.updated, written.rejected.length], [13, 0, 3]);
    assert.match(harness.rejects[0]?.reason ?? "", /NOT NULL constraint failed/);
    assert.deepEqual(harness.rejects[0]?.row, { id: "7", name: null, amount: "7" });
    assert.match(harness.rejects[1]?.reason ?? "", /CHECK constraint failed/);
    await inFile(path, "UPDATE orders SET own = 'kept' WHERE id = 1");
    const again = await harness.write(connection, {
      select: "SELECT 1::BIGINT AS id, 'uno' AS name, 1 AS amount",
    });
    assert.deepEqual([again.inserted, again.updated], [0, 1]);
    assert.deepEqual(await inFile(path, "FROM orders WHERE id = 1"), [["1", "uno", 1, "kept"]]);
  });

  test("a table in another schema is created together with the schema", async () => {
    const harness = await newHarness();
    const connection = { type: "duckdb", config: { path: join(harness.folder, "crm.duckdb") } };
    const run = { name: 'sales."all.orders"', select: "SELECT 1 AS id" };
    await harness.write(connection, { ...run, whole: true });
    assert.deepEqual(await inFile(connection.config.path, 'FROM sales."all.orders"'), [[1]]);
    await assert.rejects(harness.write(connection, { ...run, name: "a.b.c" }), /is not a table name/);
  });

  test("a locked file is a retryable problem, an invalid file is not", async () => {
    const harness = await newHarness();
    const path = join(harness.folder, "crm.duckdb");
    const script = `const { DuckDBInstance } = await import("@duckdb/node-api"); await DuckDBInstance.create(${JSON.stringify(path)}); console.log("open"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
    });
    const exited = once(holder, "exit");
    await once(holder.stdout, "data");
    const write = () => harness.write({ type: "duckdb", config: { path } }, { select: "SELECT 1 AS id" });
    await assert.rejects(
      write,
      (error) =>
        error instanceof DataProblem && error.retryable && /locked by another program/.test(error.message),
    );
    holder.kill("SIGKILL");
    await exited;
    assert.equal((await write()).inserted, 1);

    const text = join(harness.folder, "text.duckdb");
    await writeFile(text, "this is not a database\n".repeat(200));
    const wrong = harness.write({ type: "duckdb", config: { path: text } }, { select: "SELECT 1 AS id" });
    await assert.rejects(
      wrong,
      (error) => error instanceof DataProblem && !error.retryable && /not a valid DuckDB/.test(error.message),
    );
  });

  test("concurrent access to one file within a process is serialized", async () => {
    const harness = await newHarness();
    const connection = { type: "duckdb", config: { path: join(harness.folder, "crm.duckdb") } };
    const other = await newHarness();
    const checks = Array.from({ length: 5 }, () =>
      other.with(connection, (target) => target.check(["orders"])),
    );
    await harness.write(connection, { select: "SELECT i AS id FROM range(1000) r(i)", whole: true });
    for (const findings of await Promise.all(checks)) assert.ok(findings.every(({ ok }) => ok));
    assert.deepEqual(await inFile(connection.config.path, "SELECT count(*) FROM orders"), [["1000"]]);
  });
});
