import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { SimulatedStop, sharedTargetHarness } from "../../testing/target-harness.ts";
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
    // A file is read to know whether it has rows.
    (name) => (type === "csv" ? !/^a table that was emptied/.test(name) : dependsOnFormat.test(name)),
  );
}

suite("a folder as a target", () => {
  const newHarness = sharedTargetHarness();
  const start = async (type: string) => {
    const harness = await newHarness();
    return { harness, path: harness.folder, connection: { type, config: { path: harness.folder } } };
  };
  const values = `SELECT 1 AS id, '' AS empty, NULL::VARCHAR AS nothing, '2024-02-29 12:00:00+02'::TIMESTAMPTZ AS moment,
    '2024-02-29 12:00:00.5'::TIMESTAMP AS "local, time", '\\x00\\xFF'::BLOB AS bytes, [1, NULL] AS list, 1.10::DECIMAL(4,2) AS price,
    12345678901234567.89::DECIMAL(20,2) AS wide, 'nan'::DOUBLE AS nan, '{"a": 1.10}'::JSON AS json`;

  test("CSV: values are written as documented", async () => {
    const { harness, path, connection } = await start("csv");
    await harness.write(connection, { select: values, whole: true });
    assert.equal(
      await readFile(join(path, "orders.csv"), "utf8"),
      'id,empty,nothing,moment,"local, time",bytes,list,price,wide,nan,json\n' +
        '1,"",,2024-02-29T10:00:00.000000Z,2024-02-29T12:00:00.500000,AP8=,"[1,null]",1.10,12345678901234567.89,nan,"{""a"": 1.10}"\n',
    );
  });

  test("JSON lines: values are written as documented, and a merge copies existing lines unchanged", async () => {
    const { harness, path, connection } = await start("jsonl");
    await harness.write(connection, { select: values, whole: true });
    const line =
      '{"id": 1, "empty": "", "nothing": null, "moment": "2024-02-29T10:00:00.000000Z", "local, time": "2024-02-29T12:00:00.500000", ' +
      '"bytes": "AP8=", "list": [1,null], "price": 1.10, "wide": "12345678901234567.89", "nan": "nan", "json": {"a": 1.10}}';
    assert.equal(await readFile(join(path, "orders.jsonl"), "utf8"), `${line}\n`);
    await harness.write(connection, { select: `SELECT * REPLACE (2 AS id) FROM (${values})` });
    const lines = (await readFile(join(path, "orders.jsonl"), "utf8")).trim().split("\n");
    assert.deepEqual(lines.sort(), [line, line.replace('"id": 1', '"id": 2')]);
  });

  test("append: each run writes one part, and the part of a failed run is overwritten or removed", async () => {
    const { harness, path, connection } = await start("csv");
    const run = { strategy: "append", keys: [] } as const;
    const parts = async () => (await readdir(join(path, "orders"))).sort();
    await harness.write(connection, { ...run, select: "SELECT 1 AS id", whole: true });
    await assert.rejects(
      harness.write(connection, { ...run, select: "SELECT 2 AS id", failAt: "written" }),
      SimulatedStop,
    );
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    assert.deepEqual(await harness.targetRows(connection, run), [[1]]);
    await harness.write(connection, { ...run, select: "SELECT 3 AS id" });
    assert.equal(await readFile(join(path, "orders/part-000002.csv"), "utf8"), "id\n3\n");
    await assert.rejects(
      harness.write(connection, { ...run, select: "SELECT 4 AS id", failAt: "written" }),
      SimulatedStop,
    );
    await harness.write(connection, { ...run, select: "SELECT 4 AS id LIMIT 0", watermark: "m2" });
    assert.deepEqual(await parts(), ["part-000001.csv", "part-000002.csv"]);
    // Consumers may remove parts.
    await rm(join(path, "orders/part-000001.csv"));
    await harness.write(connection, { ...run, select: "SELECT 5 AS id" });
    assert.deepEqual(await parts(), ["part-000002.csv", "part-000003.csv"]);
    assert.deepEqual(await harness.targetRows(connection, run), [[3], [5]]);
  });

  test("after a change of the write strategy, existing rows are kept", async () => {
    const { harness, path, connection } = await start("csv");
    const append = { strategy: "append" } as const;
    await harness.write(connection, { ...append, select: "SELECT 1 AS id, 'one' AS name", whole: true });
    await harness.write(connection, { ...append, select: "SELECT 2 AS id, 'two' AS name, 'new' AS note" });
    await harness.write(connection, { select: "SELECT 2 AS id, 'zwei' AS name, NULL::VARCHAR AS note" });
    assert.deepEqual(await readdir(join(path, "orders")), []);
    assert.deepEqual(await harness.targetRows(connection), [
      [1, "one", null],
      [2, "zwei", null],
    ]);
    await harness.write(connection, { ...append, select: "SELECT 3 AS id" });
    assert.deepEqual(
      (await harness.targetRows(connection, append))?.map(([id]) => id),
      [1, 2, 3],
    );
  });

  test("a file that Lakehelm did not write is not overwritten, and a removed file is written again", async () => {
    const { harness, path, connection } = await start("csv");
    const run = { select: "SELECT 1 AS id", whole: true };
    await writeFile(join(path, "orders.csv"), "id\n99\n");
    await assert.rejects(
      harness.write(connection, run),
      /orders\.csv already exists and was not written by Lakehelm/,
    );
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n99\n");
    await harness.write(connection, { ...run, strategy: "replace" });
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n1\n");
    await rm(join(path, "orders.csv"));
    assert.equal(await harness.checkpoint(connection), undefined);
    assert.equal(await harness.targetRows(connection), undefined);
    await harness.write(connection, run);
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n1\n");
  });

  test("invalid names and folders that do not exist or are not writable are reported", async () => {
    const { harness, path, connection } = await start("csv");
    const run = { select: "SELECT 1 AS id", whole: true };
    for (const name of ["../orders", "a/b", "..", ".hidden", "a\\b", "", "x".repeat(201)]) {
      await assert.rejects(harness.write(connection, { ...run, name }), /is not a valid file name/);
    }
    const at = (path: string) => harness.write({ type: "csv", config: { path } }, run);
    await assert.rejects(
      at(join(path, "no")),
      (error) => error instanceof DataProblem && /There is no folder/.test(error.message),
    );
    await writeFile(join(path, "file"), "");
    await assert.rejects(at(join(path, "file")), /is not a folder/);
    await symlink(harness.dataFolder, join(path, "link"));
    await assert.rejects(at(join(path, "link")), /Lakehelm's data folder/);
    if (process.getuid?.() === 0) return;
    await mkdir(join(path, "closed"));
    await chmod(join(path, "closed"), 0o500);
    await assert.rejects(at(join(path, "closed")), /permission denied/);
  });

  test("nothing is read or written through a link", async () => {
    const { harness, path, connection } = await start("csv");
    const outside = await newHarness();
    const other = join(outside.folder, "other.csv");
    await writeFile(other, "id\n7\n");
    const run = { select: "SELECT 1 AS id", whole: true };
    // The unfinished file of a run, and of its manifest: both are replaced.
    await mkdir(join(path, ".lakehelm"));
    await symlink(other, join(path, "orders.csv.unfinished"));
    await symlink(other, join(path, ".lakehelm/orders.csv.json.unfinished"));
    await harness.write(connection, run);
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n1\n");
    // The file itself: it is replaced, and its rows are not read.
    await rm(join(path, "orders.csv"));
    await symlink(other, join(path, "orders.csv"));
    await harness.write(connection, { select: "SELECT 2 AS id" });
    assert.equal(await readFile(join(path, "orders.csv"), "utf8"), "id\n2\n");
    // The folder of an append, and the folder of manifests.
    await symlink(outside.folder, join(path, "parts"));
    const append = { select: "SELECT 1 AS id", name: "parts", strategy: "append" } as const;
    await assert.rejects(harness.write(connection, append), /parts cannot be used: it is a link/);
    await rm(join(path, ".lakehelm"), { recursive: true });
    await symlink(outside.folder, join(path, ".lakehelm"));
    await assert.rejects(harness.write(connection, run), /\.lakehelm is a link/);
    assert.equal(await readFile(other, "utf8"), "id\n7\n");
    assert.deepEqual(await readdir(outside.folder), ["other.csv"]);
  });

  test("a manifest that names other files or is not as it was written is an error", async () => {
    const { harness, path, connection } = await start("csv");
    await harness.write(connection, { select: "SELECT 1 AS id", whole: true });
    const file = join(path, ".lakehelm/orders.csv.json");
    const manifest = JSON.parse(await readFile(file, "utf8"));
    for (const change of [
      { files: ["../other.csv"] },
      { files: ["/etc/passwd"] },
      { files: ["orders/part-000001.csv/../../x.csv"] },
      { columns: [{ name: "id", type: "INTEGER); DROP TABLE stage.changes; --" }] },
      { columns: null },
      { marks: 1 },
      { rows: "1" },
    ]) {
      await writeFile(file, JSON.stringify({ ...manifest, ...change }));
      await assert.rejects(
        harness.write(connection, { select: "SELECT 2 AS id" }),
        /orders\.csv\.json is damaged/,
      );
    }
  });

  test("a corrupted file is an error that names the file", async () => {
    const { harness, path, connection } = await start("csv");
    await harness.write(connection, { select: "SELECT 1 AS id, 'x' AS name", whole: true });
    await writeFile(join(path, "orders.csv"), "id,name\nabc,def\n");
    const merge = harness.write(connection, { select: "SELECT 2 AS id, 'y' AS name" });
    await assert.rejects(
      merge,
      (error) => error instanceof DataProblem && /orders\.csv: .*INT32.* column id/.test(error.message),
    );
  });
});
