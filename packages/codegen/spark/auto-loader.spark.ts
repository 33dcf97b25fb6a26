/**
 * Runs notebooks with Auto Loader, which only Databricks has: a stream of Spark's own file source replaces it here.
 * Everything after the source is the generated code: batches, checkpoints, restarts and writes. Schema inference,
 * evolution, hints and rescued values are parts of Auto Loader, so they are not tested here.
 */
import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { ingestionOf } from "./ingestion-requests.ts";
import { crashPoints, type SparkEngine, startSpark } from "./spark-engine.ts";

const autoLoader = 'spark.readStream.format("cloudFiles").options(**STREAM_OPTIONS)';
const fileStream =
  'spark.readStream.format("csv").options(header="true", escape="\\"").schema("id BIGINT, name STRING, _rescued_data STRING")';

describe("Auto Loader, with a file stream in its place", () => {
  let engine: SparkEngine;
  let volumes: string;
  let trials = 0;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(reset);

  async function reset() {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.bronze");
    volumes = join(engine.folder, `volumes ${++trials}`);
    await mkdir(join(volumes, "main/landing/in"), { recursive: true });
  }

  async function file(name: string, lines: readonly string[], minute: number): Promise<void> {
    const path = join(volumes, "main/landing/in", name);
    await writeFile(path, ["id,name,_rescued_data", ...lines].map((line) => `${line}\n`).join(""));
    const time = new Date(Date.UTC(2026, 0, 1, 10, minute));
    await utimes(path, time, time);
  }

  /**
   * The notebook, with its volumes in a local folder. The volume for checkpoints exists, because only Databricks can
   * create it.
   */
  async function notebookOf(table: object, source = fileStream): Promise<string> {
    const config = {
      ...{ path: "/Volumes/main/landing", format: "csv", pii_columns: ["email"] },
      columns: { amount: "decimal(12,2)" },
    };
    const tables = [{ source_dataset: "in", target_name: "t", ...table }];
    const notebook = ingestionOf("files", config, tables, { runtime: "databricks" });
    assert.equal(notebook.split(autoLoader).length, 2);
    const [, volume = ""] = /isdir\(f"\/Volumes\/([^"]+)"\)/.exec(notebook) ?? [];
    const checkpoints = volume.replace("{CATALOG_NAME}", "main").replace("{SCHEMA_NAME}", "bronze");
    await mkdir(join(volumes, checkpoints), { recursive: true });
    return notebook.replaceAll("/Volumes/", `${volumes}/`).replace(autoLoader, () => source);
  }
  const rows = (columns = "id, name") => engine.sql(`SELECT ${columns} FROM main.bronze.t ORDER BY ALL`);

  it("appends each file once; without its checkpoint it reads all files again, which replaces their rows", async () => {
    await file("a.csv", ["1,a", "1,a"], 1);
    await file("b.csv", ["3,c"], 2);
    const notebook = await notebookOf({});
    assert.match((await engine.completes(notebook)).output, /1 batches/);
    assert.match((await engine.completes(notebook, { on: "databricks" })).output, /0 batches/);
    // Auto Loader reads changed files again, but Spark's own stream ignores them. A new checkpoint has the same effect.
    await file("b.csv", ["3,C", "4,d"], 3);
    await file("c.csv", ["5,e"], 3);
    const elsewhere = notebook.replaceAll("_checkpoints/", "_checkpoints/again-");
    assert.match((await engine.completes(elsewhere)).output, /1 batches/);
    assert.deepEqual(await rows(), [
      { id: 1, name: "a" },
      { id: 1, name: "a" },
      { id: 3, name: "C" },
      { id: 4, name: "d" },
      { id: 5, name: "e" },
    ]);
  });

  it("merges by key: the last line of the newest file wins", async () => {
    await file("new.csv", ["1,first", "1,last", "2,two"], 5);
    await file("old.csv", ["1,older", "3,three"], 4);
    const notebook = await notebookOf({ primary_keys: ["id"] });
    const first = await engine.completes(notebook);
    assert.match(first.output, /1 batches, 2 superseded by another row with the same key\n/);
    await file("late.csv", ["2,too late", "4,four"], 3);
    assert.match((await engine.completes(notebook)).output, /1 batches\n/);
    assert.deepEqual(
      await rows(),
      ["last", "two", "three", "four"].map((name, at) => ({ id: at + 1, name })),
    );
  });

  for (const strategy of someOf(["upsert", "append"], 1)) {
    it(`an ${strategy} that crashes neither loses nor duplicates rows`, async () => {
      const whole = async (crashAt?: object) => {
        await reset();
        const notebook = await notebookOf(strategy === "upsert" ? { primary_keys: ["id"] } : {});
        await file("a.csv", ["1,a", "2,b"], 1);
        const run = await engine.runNotebook(notebook, { ...crashAt });
        assert.equal(run.crashed === true, crashAt !== undefined, run.output);
        await file("b.csv", ["3,c"], 3);
        await engine.completes(notebook);
        const expected = ["a", "b", "c"].map((name, at) => ({ id: at + 1, name }));
        assert.deepEqual(await rows(), expected, JSON.stringify(crashAt));
        return run;
      };
      const points = crashPoints(await whole());
      assert.ok(points.length >= 6, String(points.length));
      const distinct = points.filter(({ when }, at) => when === "before" || at === points.length - 1);
      for (const crashAt of someOf(distinct, 1)) await whole({ crashAt });
    });
  }

  it("reads all files again, a full refresh without those that are gone, and a window of them", async () => {
    const run = (notebook: string, name = "", value = "true") =>
      engine.completes(notebook, { on: "databricks", ...(name && { parameters: { [name]: value } }) });
    for (const table of [{}, { primary_keys: ["id"], watermark_column: "id" }]) {
      await reset();
      const notebook = await notebookOf(table);
      await file("a.csv", ["1,a", "2,b"], 1);
      await file("b.csv", ["3,c", "4,d"], 2);
      await run(notebook);
      const all = await rows();
      await engine.sql("UPDATE main.bronze.t SET name = 'x' WHERE id > 1");
      assert.match((await run(notebook)).output, /0 batches/);
      if ("watermark_column" in table) {
        await run(notebook, "window", JSON.stringify({ from: "2", to: "3" }));
        assert.deepEqual((await rows()).map(({ name }) => name).join(), "a,b,x,x");
      }
      await run(notebook, "reset_watermark");
      assert.deepEqual(await rows(), all);
      await rm(join(volumes, "main/landing/in/a.csv"));
      await run(notebook, "full_refresh");
      assert.deepEqual(await rows(), all.slice(2));
      assert.match((await run(notebook)).output, /0 batches/);
    }
  });

  it("starts again after a new column, and fails after any other error", async () => {
    await file("a.csv", ["1,a"], 1);
    const failing = (message: string) =>
      `(lambda stream: stream if STARTS.pop() else int("${message}"))(${fileStream})`;
    const starts = (notebook: string) =>
      notebook.replace("STREAM_OPTIONS =", "STARTS = [True, False]\nSTREAM_OPTIONS =");
    const newColumn = starts(await notebookOf({}, failing("UNKNOWN_FIELD_EXCEPTION")));
    assert.match((await engine.completes(newColumn)).output, /1 batches/);
    const other = starts(await notebookOf({}, failing("x")));
    assert.match(String((await engine.runNotebook(other)).error?.trace), /1 of 1 tables failed/);
    const empty = starts(await notebookOf({}, failing("CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE")));
    assert.match((await engine.completes(empty)).output, /there are no files yet/);
  });

  it("removes personal data from rescued values", async () => {
    const rescued = { name: "7", Email: "x@y", _c5: "z", _file_path: "f" };
    await file("a.csv", [`1,a,"${JSON.stringify(rescued).replaceAll('"', '""')}"`, "2,b"], 1);
    await engine.completes(await notebookOf({ pii_suppressed: true }));
    const [first, second] = await rows("id, _rescued_data");
    assert.deepEqual(JSON.parse(String(first?._rescued_data)), { name: "7", _file_path: "f" });
    assert.deepEqual(second, { id: 2, _rescued_data: null });
  });

  it("tells Auto Loader the declared types, and those of the target: it would infer an amount as a double", async () => {
    await file("a.csv", ["1,a"], 1);
    const hints = "\nprint('hints:', type_hints(TABLES[0]))\n";
    const { output } = await engine.completes((await notebookOf({})) + hints);
    assert.match(output, /hints: `id` bigint, `name` string, `amount` decimal\(12,2\)\n/);
  });

  it("writes batches by a function that another process can get: it holds no session", async () => {
    await file("a.csv", ["1,a"], 1);
    for (const [table, call] of [
      [{}, "writer(TABLES[0])"],
      [{ primary_keys: ["id"] }, 'writer(TABLES[0], "folder")'],
    ] as const) {
      const pickled = `\nfrom pyspark import cloudpickle\nprint(len(cloudpickle.dumps(${call})))\n`;
      assert.match((await engine.completes((await notebookOf(table)) + pickled)).output, /\n\d+\n$/);
    }
  });
});
