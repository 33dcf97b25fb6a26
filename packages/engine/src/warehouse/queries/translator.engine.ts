import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { Translator } from "./translator.ts";

const translation = new Translator();
after(() => translation.close());
const patient = new AbortController().signal;

test("a text that is given up does not hold up the others", async () => {
  const stopper = new AbortController();
  const given = translation.translate("SELECT 1", stopper.signal);
  const others = Promise.all(["SELECT 2", "SELECT 3"].map((text) => translation.translate(text, patient)));
  stopper.abort(new Error("enough"));
  await assert.rejects(given, { message: "enough" });
  assert.deepEqual(await others, ["SELECT 2", "SELECT 3"]);
});

test("a mistake keeps its place on the way from the thread", async () => {
  const error = await translation.translate("SELECT a,\n FROM t", patient).catch((thrown) => thrown);
  assert.ok(error instanceof DataProblem);
  assert.deepEqual(error.position, { line: 1, column: 9 });
});

test("it goes on after it was closed", async () => {
  translation.close();
  assert.equal(
    await translation.translate("SELECT try_cast(a AS INT) FROM t", patient),
    "SELECT SPARK_TRY(TRY_CAST(a AS INT)) FROM t",
  );
});
