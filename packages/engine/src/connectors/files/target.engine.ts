import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { SimulatedStop, TargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";

/** The formats share the code that writes files, so only CSV runs the tests that do not depend on the format. */
const dependsOnFormat = /^(upsert inserts|append adds|a new column|values of every type|names may contain)/;
for (const type of ["csv", "jsonl", "parquet"]) {
  targetSuite(
    `${type} files as a target`,
    async (_, { folder }) => {
      const path = join(folder, "out");
      await mkdir(path);
      return { type, config: { path } };
    },
    (name) => type === "csv" || dependsOnFormat.test(name),
  );
}

suite("files in a folder", () => {
  const endings: (() => Promise<void>)[] = [];
  let shared: TargetHarness;
  before(async () => {
    shared = await TargetHarness.start(endings);
  });
  after(async () => {
    for (const end of endings) await end();
  });
  const start = async (type: string) => {
    const writing = await shared.withNewFolder();
    return { writing, path: writing.folder, there: { type, config: { path: writing.folder } } };
  };
  const values = `SELECT 1 AS id, '' AS empty, NULL::VARCHAR AS nothing, '2024-02-29 12:00:00+02'::TIMESTAMPTZ AS moment,
    '2024-02-29 12:00:00.5'::TIMESTAMP AS "local, time", '\\x00\\xFF'::BLOB AS bytes, [1, NULL] AS list, 1.10::DECIMAL(4,2) AS price,
    12345678901234567.89::DECIMAL(20,2) AS wide, 'nan'::DOUBLE AS nan, '{"a": 1.10}'::JSON AS json`;

  test("CSV, to the letter", async () => {
    const { writing, path, there } = await start("csv");
    await writing.write(there, { select: values, whole: true });
    assert.equal(
      await readFile(join(path, "orders.csv"), "utf8"),
      'id,empty,nothing,moment,"local, time",bytes,list,price,wide,nan,json\n' +
        '1,"",,2024-02-29T10:00:00.000000Z,2024-02-29T12:00:00.500000,AP8=,"[1,null]",1.10,12345678901234567.89,nan,"{""a"": 1.10}"\n',
    );
  });

  test("JSON lines, to the letter; a merge carries over what is there as it is", async () => {
    const { writing, path, there } = await start("jsonl");
    await writing.write(there, { select: values, whole: true });
    const line =
      '{"id": 1, "empty": "", "nothing": null, "moment": "2024-02-29T10:00:00.000000Z", "local, time": "2024-02-29T12:00:00.500000", ' +
      '"bytes": "AP8=", "list": [1,null], "price": 1.10, "wide": "12345678901234567.89", "nan": "nan", "json": {"a": 1.10}}';
    assert.equal(await readFile(join(path, "orders.jsonl"), "utf8"), `${line}\n`);
    await writing.write(there, { select: `SELECT * REPLACE (2 AS id) FROM (${values})` });
    const lines = (await readFile(join(path, "orders.jsonl"), "utf8")).trim().split("\n");
    assert.deepEqual(lines.sort(), [line, line.replace('"id": 1', '"id": 2')]);
  });

  test("append: a part for each run; a killed run's part is written again, or goes", async () => {
    const { writing, path, there } = await start("csv");
    const run = { strategy: "append", keys: [] } as const;
    const parts = async () => (await readdir(join(path, "orders"))).sort();
    await writing.write(there, { ...run, select: "SELECT 1 AS id", whole: true });
    await assert.rejects(
      writing.write(there, { ...run, select: "SELECT 2 AS id", failAt: "written" }),
      SimulatedStop,
    );
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    assert.deepEqual(await writing.targetRows(there, run), [[1]]);
    await writing.write(there, { ...run, select: "SELECT 3 AS id" });
    assert.equal(await readFile(join(path, "orders/part-000002.csv"), "utf8"), "id\n3\n");
    await assert.rejects(
      writing.write(there, { ...run, select: "SELECT 4 AS id", failAt: "written" }),
      SimulatedStop,
    );
    await writing.write(there, { ...run, select: "SELECT 4 AS id LIMIT 0", watermark: "m2" });
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    // Whoever reads the parts may take them away.
    await rm(join(path, "orders/part-000001.csv"));
    await writing.write(there, { ...run, select: "SELECT 5 AS id" });
    assert.deepEqual(await parts(), ["part-000002.csv", "part-000003.csv"]);
    assert.deepEqual(await writing.targetRows(there, run), [[3], [5]]);
  });

  test("another write strategy takes over what the one before has written", async () => {
    const { writing, path, there } = await start("csv");
    const append = { strategy: "append" } as const;
    await writing.write(there, { ...append, select: "SELECT 1 AS id, 'one' AS name", whole: true });
    await writing.write(there, { ...append, select: "SELECT 2 AS id, 'two' AS name, 'new' AS note" });
    await writing.write(there, { select: "SELECT 2 AS id, 'zwei' AS name, NULL::VARCHAR AS note" });
    assert.deepEqual(await readdir(join(path, "orders")), []);
    assert.deepEqual(await writing.targetRows(there), [
      [1, "one", null],
      [2, "zwei", null],
    ]);
    await writing.write(there, { ...append, select: "SELECT 3 AS id" });
    assert.deepEqual(
      (await writing.targetRows(there, append))?.map(([id]) => id),
      [1, 2, 3],
    );
  });

  test("a file that is not ours is left alone; one that was taken away is written anew", async () => {
    const { writing, path, there } = await start("csv");
    const run = { select: "SELECT 1 AS id", whole: true };
    await writeFile(join(path, "orders.csv"), "id\n99\n");
    await assert.rejects(
      writing.write(there, run),
      /orders\.csv already exists and was not written by Lakehelm/,
    );
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n99\n");
    await writing.write(there, { ...run, strategy: "replace" });
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n1\n");
    await rm(join(path, "orders.csv"));
    assert.equal(await writing.checkpoint(there), undefined);
    assert.equal(await writing.targetRows(there), undefined);
    await writing.write(there, run);
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n1\n");
  });

  test("names that lead elsewhere, folders that are not there or closed are told in words", async () => {
    const { writing, path, there } = await start("csv");
    const run = { select: "SELECT 1 AS id", whole: true };
    for (const name of ["../orders", "a/b", "..", ".hidden", "a\\b", "", "x".repeat(201)]) {
      await assert.rejects(writing.write(there, { ...run, name }), /is not a valid file name/);
    }
    const at = (place: string) => writing.write({ type: "csv", config: { path: place } }, run);
    await assert.rejects(
      at(join(path, "no")),
      (error) => error instanceof DataProblem && /There is no folder/.test(error.message),
    );
    await writeFile(join(path, "file"), "");
    await assert.rejects(at(join(path, "file")), /is not a folder/);
    await symlink(writing.context.ownFolder, join(path, "link"));
    await mkdir(writing.context.ownFolder, { recursive: true });
    await assert.rejects(at(join(path, "link")), /Lakehelm's warehouse folder/);
    if (process.getuid?.() === 0) return;
    await mkdir(join(path, "closed"));
    await chmod(join(path, "closed"), 0o500);
    await assert.rejects(at(join(path, "closed")), /permission denied/);
  });

  test("a file that somebody has broken is a problem that names it", async () => {
    const { writing, path, there } = await start("csv");
    await writing.write(there, { select: "SELECT 1 AS id, 'x' AS name", whole: true });
    await writeFile(join(path, "orders.csv"), "id,name\nabc,def\n");
    const merge = writing.write(there, { select: "SELECT 2 AS id, 'y' AS name" });
    await assert.rejects(
      merge,
      (error) => error instanceof DataProblem && /orders\.csv: .*abc/.test(error.message),
    );
  });
});
