import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { ingestionOf } from "./ingestion-requests.ts";
import { crashPoints, type SparkEngine, startSpark } from "./spark-engine.ts";

describe("ingestion from files", () => {
  let engine: SparkEngine;
  let landing: string;
  let trials = 0;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.bronze");
    landing = join(engine.folder, `landing ${++trials}`);
  });

  /** Writes a file with a modification time at this minute of an hour. */
  async function file(path: string, lines: readonly string[], minute: number): Promise<void> {
    const whole = join(landing, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, lines.map((line) => `${line}\n`).join(""));
    const time = new Date(Date.UTC(2026, 0, 1, 10, minute));
    await utimes(whole, time, time);
  }
  const from = (format: string, table: object, more: object = {}) =>
    ingestionOf("files", { path: landing, format, pii_columns: ["email"], ...more }, [
      { source_dataset: "in", target_name: "t", ...table },
    ]);
  const rows = (columns: string) => engine.sql(`SELECT ${columns} FROM main.bronze.t ORDER BY ALL`);

  it("appends each file once, and replaces the rows of a changed file", async () => {
    await file(
      "in/a [1] {x}, it's $1 100%.csv",
      ["id,name,email", '1,"a ""quoted"", and\ntwo lines",x@y'],
      1,
    );
    await file("in/sub/b.csv", ["note,id", "other columns,2"], 2);
    await file("in/_ignored.csv", ["id,name", "9,hidden"], 3);
    const notebook = from("csv", { pii_suppressed: true });
    assert.match((await engine.completes(notebook)).output, /2 files, 2 inserted, 0 deleted/);
    assert.match((await engine.completes(notebook, { on: "databricks" })).output, /no new files/);

    await file("in/sub/b.csv", ["note,id", "changed,2", "more,3"], 4);
    await file("in/c.csv", ["id,name", "4,d"], 4);
    assert.match((await engine.completes(notebook)).output, /2 files, 3 inserted, 1 deleted/);
    assert.deepEqual(await rows("id, name, note"), [
      { id: 1, name: 'a "quoted", and\ntwo lines', note: null },
      { id: 2, name: null, note: "changed" },
      { id: 3, name: null, note: "more" },
      { id: 4, name: "d", note: null },
    ]);
    const columns = (await engine.sql("DESCRIBE main.bronze.t")).map((column) => column.col_name);
    assert.deepEqual(columns, ["id", "name", "_source_file", "_source_file_time", "note"]);
  });

  it("reads floating point numbers with all of their digits, or not at all", async () => {
    const [line, numbers] = ["1,0.1,16777216,0.30000000000000004,Infinity,0", "id,f,g,d,e,z"];
    await file("in/a.csv", [numbers, line], 1);
    const columns = { f: "float", g: "float", d: "double", e: "double", z: "double" };
    const notebook = from("csv", {}, { columns: { t: columns } });
    await engine.completes(notebook);
    assert.deepEqual(await rows("g, d, e > 1e308 AS e, z"), [
      { g: 16777216, d: 0.30000000000000004, e: true, z: 0 },
    ]);
    const wrong = ["0.1,16777217,1,1,0", "0.1,1,1e400,1,0", "0.1,1,1,1e-400,0", "0.1,1,9007199254740993,1,0"];
    for (const [at, values] of someOf(wrong, 1).entries()) {
      await file("in/b.csv", [numbers, `2,${values}`], at + 2);
      const { error } = await engine.runNotebook(notebook);
      assert.match(String(error?.trace), /the column [gde] is (float|double) and would round/, values);
    }
    await file("in/b.csv", ["id,n,m", "2,1e400,1.5"], 9);
    await engine.completes(notebook);
    assert.deepEqual(await rows("n, m"), [
      { n: null, m: null },
      { n: "1e400", m: 1.5 },
    ]);
  });

  it("a compressed file that is cut off or damaged fails the run before anything is committed", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `${n},${Math.sin(n)}`).join("\n");
    const whole = gzipSync(`id,name\n${lines}\n`);
    const damaged = Buffer.from(whole);
    damaged[damaged.length - 8] = (damaged[damaged.length - 8] ?? 0) ^ 1;
    await file("in/a.csv", ["id,name", "-1,first"], 1);
    const put = async (content: Buffer, minute: number) => {
      const path = join(landing, "in/b.csv.gz");
      await writeFile(path, content);
      const time = new Date(Date.UTC(2026, 0, 1, 10, minute));
      await utimes(path, time, time);
    };
    const strategies = [{}, { primary_keys: ["id"] }, { write_strategy: "replace" }];
    for (const [at, table] of someOf(strategies, 2).entries()) {
      const target = `gz_${at}`;
      const notebook = from("csv", { ...table, target_name: target });
      const count = async () => (await engine.sql(`SELECT count(*) AS n FROM main.bronze.${target}`))[0]?.n;
      await rm(join(landing, "in/b.csv.gz"), { force: true });
      await engine.completes(notebook);
      for (const content of [whole.subarray(0, whole.length - 2000), whole.subarray(0, -4), damaged]) {
        await put(content, 2);
        const { error } = await engine.runNotebook(notebook);
        assert.ok(error, `${JSON.stringify(table)}: ${content.length} of ${whole.length} bytes`);
        assert.equal(await count(), 1);
      }
      await put(whole, 3);
      await engine.completes(notebook);
      assert.equal(await count(), 20_001);
    }
  });

  it("merges by key: the last line of the newest file wins, and the others are counted", async () => {
    await file("in/new.csv", ["id,name", "1,first", "1,last", "2,two"], 5);
    await file("in/old.csv", ["id,name", "1,older", "3,three"], 4);
    const notebook = from("csv", { primary_keys: ["id"] });
    assert.match(
      (await engine.completes(notebook)).output,
      /2 files, 3 inserted, 0 updated, 2 superseded by/,
    );
    await file("in/late.csv", ["id,name", "2,too late", "4,four"], 3);
    assert.match((await engine.completes(notebook)).output, /1 files, 1 inserted, 0 updated\n/);
    await file("in/newest.csv", ["id,note", "2,without a name"], 6);
    await engine.completes(notebook);
    assert.match((await engine.completes(notebook)).output, /no new files/);
    assert.deepEqual(await rows("id, name"), [
      { id: 1, name: "last" },
      { id: 2, name: null },
      { id: 3, name: "three" },
      { id: 4, name: "four" },
    ]);
    const refreshed = await engine.completes(notebook, { parameters: { full_refresh: "true" } });
    assert.match(refreshed.output, /4 rows replaced the earlier ones, 0 deleted, 4 superseded by/);
  });

  it(
    "reads all files again, a full refresh without those that are gone, and a window of them",
    onlyNightly,
    async () => {
      const parameters = (name: string, value = "true") => ({ parameters: { [name]: value } });
      await file("in/a.csv", ["id,name,n", "1,a,1", "2,b,2"], 1);
      await file("in/b.csv", ["id,name,n", "3,c,3", "4,d,4", "5,e,5"], 2);
      const keyed = from("csv", { primary_keys: ["id"], watermark_column: "n" });
      const plain = from("csv", { target_name: "log" });
      const log = () => engine.sql("SELECT id, name FROM main.bronze.log ORDER BY ALL");
      for (const notebook of [keyed, plain]) await engine.completes(notebook);
      const all = await rows("id, name");
      assert.equal(all.length, 5);
      const damage = async () => {
        for (const table of ["t", "log"]) {
          await engine.sql(`UPDATE main.bronze.${table} SET name = 'x' WHERE id IN (1, 3)`);
        }
      };
      await damage();
      assert.match((await engine.completes(keyed)).output, /no new files/);
      const window = parameters("window", JSON.stringify({ from: "3", to: "4" }));
      assert.match((await engine.completes(keyed, window)).output, /0 inserted, 1 updated, of a window/);
      assert.deepEqual((await rows("id, name"))[0], { id: 1, name: "x" });
      assert.deepEqual((await rows("id, name"))[2], { id: 3, name: "c" });
      await engine.completes(keyed, parameters("reset_watermark"));
      assert.match(
        (await engine.completes(plain, parameters("reset_watermark"))).output,
        /5 inserted, 5 deleted/,
      );
      assert.deepEqual(await rows("id, name"), all);
      assert.deepEqual(await log(), all);

      await rm(join(landing, "in/a.csv"));
      await damage();
      for (const notebook of [keyed, plain]) {
        assert.match(
          (await engine.completes(notebook, parameters("full_refresh"))).output,
          /1 files, 3 rows replaced the earlier ones, 2 deleted/,
        );
        assert.match((await engine.completes(notebook)).output, /no new files/);
      }
      assert.deepEqual(await rows("id, name"), all.slice(2));
      assert.deepEqual(await log(), all.slice(2));
      await file("in/b.csv", ["id,name,n", "3,c,3"], 3);
      const lost = await engine.runNotebook(keyed, parameters("full_refresh"));
      assert.match(lost.error?.message ?? "", /it would delete 2 of 3 rows, more than half/);
      assert.deepEqual(await rows("id, name"), all.slice(2));
    },
  );

  for (const strategy of someOf(["append", "upsert"], 1)) {
    it(`an ${strategy} that crashes neither loses nor duplicates rows`, async () => {
      const notebook = () => from("csv", strategy === "upsert" ? { primary_keys: ["id"] } : {});
      const whole = async (crashAt?: object) => {
        await engine.clear();
        await engine.sql("CREATE SCHEMA main.bronze");
        landing = join(engine.folder, `landing ${++trials}`);
        await file("in/a.csv", ["id,name", "1,a", "2,b"], 1);
        const run = await engine.runNotebook(notebook(), { ...crashAt });
        assert.equal(run.crashed === true, crashAt !== undefined, run.output);
        await file("in/a.csv", ["id,name", "1,a", "2,B"], 2);
        await file("in/b.csv", ["id,name", "3,c"], 3);
        await engine.completes(notebook());
        const expected = ["a", "B", "c"].map((name, at) => ({ id: at + 1, name }));
        assert.deepEqual(await rows("id, name"), expected, JSON.stringify(crashAt));
        return run;
      };
      const points = crashPoints(await whole());
      assert.equal(points.length, strategy === "append" ? 4 : 8);
      // A crash after one effect equals a crash before the next.
      const distinct = points.filter(({ when }, at) => when === "before" || at === points.length - 1);
      for (const crashAt of someOf(distinct, 1)) await whole({ crashAt });
    });
  }

  it("infers the types of CSV once for each group of files, without losing a digit; declared types win", async () => {
    const header = "id,code,price,day,at,flag,big,none,amount";
    const values = ",007,1.5,2026-01-31,2026-01-31 10:00:00.5,true,12345678901234567890,,12.50";
    for (const at of [1, 2, 3]) await file(`in/${at}.csv`, [header, `${at}${values}`], at);
    for (const at of [4, 5]) await file(`in/${at}.csv`, ["", "flag,id", `false,${at}`], at);
    await file("in/empty.csv", [], 6);
    const notebook = from("csv", {}, { columns: { t: { price: "decimal(10,2)" } } });
    const counted = notebook.replace("columns = reader", 'print("a look")\n        columns = reader');
    const { output } = await engine.completes(counted);
    assert.equal(output.split("a look").length - 1, 2);
    assert.match(output, /5 files, 5 inserted/);
    const types = (await engine.sql("DESCRIBE main.bronze.t")).map(({ col_name, data_type }) => [
      col_name,
      data_type,
    ]);
    assert.deepEqual(types.slice(0, 9), [
      ["id", "bigint"],
      ["code", "string"],
      ["price", "decimal(10,2)"],
      ["day", "date"],
      ["at", "timestamp"],
      ["flag", "boolean"],
      ["big", "string"],
      ["none", "string"],
      ["amount", "decimal(18,2)"],
    ]);
    assert.deepEqual((await rows("id, code, price, day, at, flag"))[2], {
      ...{ id: 3, code: "007", price: "1.50", day: "2026-01-31", at: "2026-01-31 10:00:00.500000" },
      flag: true,
    });
    await file("in/7.csv", ["id,price", "7,cheap"], 7);
    const { error } = await engine.runNotebook(notebook);
    assert.match(String(error?.trace), /MALFORMED|cheap/);
    assert.equal((await rows("id")).length, 5);
    for (const rounded of [{ price: "1.555" }, { amount: "0.001" }]) {
      const [[name = "", value = ""] = []] = Object.entries(rounded);
      await file("in/7.csv", [`id,${name}`, `7,${value}`], 7);
      const { error } = await engine.runNotebook(notebook);
      assert.match(String(error?.trace), new RegExp(`the column ${name} is .* and would round ${value}`));
    }
    assert.equal((await rows("id")).length, 5);
  });

  it("reads CSV without a header by position, and as text if inferSchema is false", onlyNightly, async () => {
    await file("in/a.csv", ["#a comment", "1;x", "2;y"], 1);
    await file("in/b.csv", ["3;z"], 2);
    await file("in/c.csv", ['4;"a;b";more'], 3);
    const options = { header: "false", sep: ";", inferSchema: "false", comment: "#" };
    await engine.completes(from("csv", {}, { options }));
    assert.deepEqual(await rows("_c0, _c1, _c2"), [
      { _c0: "1", _c1: "x", _c2: null },
      { _c0: "2", _c1: "y", _c2: null },
      { _c0: "3", _c1: "z", _c2: null },
      { _c0: "4", _c1: "a;b", _c2: "more" },
    ]);
  });

  it("casts CSV to the types of the target, and fails where it cannot", onlyNightly, async () => {
    await engine.sql(
      `CREATE TABLE main.bronze.t (id INT, price DECIMAL(10,2), at TIMESTAMP, _source_file STRING,
       _source_file_time TIMESTAMP) USING DELTA`,
    );
    await file("in/a.csv", ["id,price,at", "1,1.50,2026-01-31T10:00:00.000001Z"], 1);
    await engine.completes(from("csv", {}));
    assert.deepEqual(await rows("id, price, at"), [
      { id: 1, price: "1.50", at: "2026-01-31 10:00:00.000001" },
    ]);
    await file("in/b.csv", ["id,price,at", "2,cheap,"], 2);
    const { error } = await engine.runNotebook(from("csv", {}));
    assert.match(String(error?.trace), /CAST_INVALID_INPUT.*'cheap'/s);
    assert.equal((await rows("id")).length, 1);
  });

  it(
    "reads JSON with the target's types, adds new fields at any depth, and refuses values that do not fit",
    onlyNightly,
    async () => {
      await file("in/1.json", ['{"id": 1, "price": 1.5, "who": {"name": "a"}, "tags": [{"x": 1}]}'], 1);
      const notebook = from("json", {});
      await engine.completes(notebook);
      await file(
        "in/2.json",
        ['{"id": 2, "price": 2, "who": {"age": 7}, "tags": [{"y": true}], "more": null}'],
        2,
      );
      await engine.completes(notebook);
      assert.deepEqual(await rows("id, price, who, tags"), [
        { id: 1, price: 1.5, who: { name: "a", age: null }, tags: [{ x: 1, y: null }] },
        { id: 2, price: 2, who: { name: null, age: 7 }, tags: [{ x: null, y: true }] },
      ]);
      await file("in/3.json", ['{"id": 3.5}'], 3);
      const { error } = await engine.runNotebook(notebook);
      assert.match(String(error?.trace), /the column id is bigint in the target, and double in the source/);
      await file("in/3.json", ['{"id": 3, '], 3);
      const broken = await engine.runNotebook(notebook);
      assert.match(String(broken.error?.trace), /MALFORMED/);
      assert.equal((await rows("id")).length, 2);
    },
  );

  it("reads Parquet with the columns of all files, and replaces the table in one commit", async () => {
    const write = (name: string, select: string) =>
      engine.sql(`INSERT OVERWRITE DIRECTORY '${join(landing, "in", name)}' USING parquet ${select}`);
    await write("a", "SELECT 1 AS id, map('k', 1) AS m");
    await write("b", "SELECT 2 AS id, 'x' AS more");
    const notebook = from("parquet", { write_strategy: "replace", source_dataset: "in/*" });
    await engine.completes(notebook);
    await write("a", "SELECT 3 AS id");
    assert.match((await engine.completes(notebook)).output, /2 files, 2 rows replaced the earlier ones/);
    assert.deepEqual(await rows("id, more"), [
      { id: 2, more: "x" },
      { id: 3, more: null },
    ]);
  });
});
