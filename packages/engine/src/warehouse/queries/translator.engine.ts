import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { Translator } from "./translator.ts";

const translator = new Translator();
after(() => translator.close());
const neverAborted = new AbortController().signal;

test("an aborted translation does not block the others", async () => {
  const controller = new AbortController();
  const aborted = translator.translate("SELECT 1", controller.signal);
  const others = Promise.all(
    ["SELECT 2", "SELECT 3"].map((text) => translator.translate(text, neverAborted)),
  );
  controller.abort(new Error("enough"));
  await assert.rejects(aborted, { message: "enough" });
  assert.deepEqual(await others, ["SELECT 2", "SELECT 3"]);
});

test("a thread that is still loading survives an abort, so that a short time limit can be met later", async (t) => {
  translator.close();
  let starts = 0;
  const count = () => {
    starts += 1;
  };
  process.on("worker", count);
  t.after(() => process.off("worker", count));
  const controller = new AbortController();
  const aborted = translator.translate("SELECT 4", controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(aborted, { message: "enough" });
  assert.equal(await translator.translate("SELECT 5", neverAborted), "SELECT 5");
  assert.equal(starts, 1);
});

// The thread ends whenever it has been idle for a while, and DuckDB's library would have to be unloaded with it.
test("the thread does not load DuckDB", async () => {
  await translator.translate("SELECT 1", neverAborted);
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  assert.ok(sharedObjects.length > 0);
  assert.deepEqual(
    sharedObjects.filter((path) => path.includes("duckdb")),
    [],
  );
});

test("an error from the thread keeps its position", async () => {
  const error = await translator.translate("SELECT a,\n FROM t", neverAborted).catch((thrown) => thrown);
  assert.ok(error instanceof DataProblem);
  assert.deepEqual(error.position, { line: 1, column: 9 });
});

test("a closed translator starts a new thread when it is used again", async () => {
  translator.close();
  assert.equal(
    await translator.translate("SELECT try_cast(a AS INT) FROM t", neverAborted),
    "SELECT SPARK_TRY(TRY_CAST(a AS INT)) FROM t",
  );
});
