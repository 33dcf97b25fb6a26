/** What the vocabulary claims: a function is compared with Spark, or it is refused. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { listProblems } from "../../../spark/function-lists.ts";
import { functionTable } from "../../../spark/support-table.ts";
import { callRefusal, refusedFunctions } from "./refused-functions.ts";
import { translate } from "./translation.ts";

test("each function of the vocabulary is compared with Spark or refused, and no other one is", () => {
  assert.deepEqual(listProblems(), []);
});

test("docs/reference/sql.md lists each of them", async () => {
  const page = await readFile(new URL("../../../../../docs/reference/sql.md", import.meta.url), "utf8");
  assert.ok(
    page.includes(functionTable()),
    "Print the tables again: UPDATE_DOCS=1 npm run test:engines -- …/conformance.engine.ts",
  );
});

test("a refused function is refused where it is called, and is a name everywhere else", async () => {
  for (const name of refusedFunctions) {
    const refusal = await translate(`SELECT ${name}(1)`).then(
      () => "none",
      (error: Error) => error.message,
    );
    // The parser itself refuses some functions.
    if (!/^Line 1, column \d+: (?:unexpected|expected|the text)/.test(refusal))
      assert.equal(refusal, `Line 1, column 8: ${callRefusal(name, 1)}`);
    await translate(`SELECT a.\`${name}\` AS \`${name}\` FROM \`${name}\` AS a (\`${name}\`)`);
  }
  await translate("SELECT CAST('10:00' AS TIME), CAST(1 AS DECIMAL(5, 2))");
});
