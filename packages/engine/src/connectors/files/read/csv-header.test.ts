import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readHeader } from "./csv-header.ts";
import { readFilesSettings } from "./settings.ts";

test("columns without a name, or with one that is taken, get names that no other column has", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "csv-header-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "a.csv");
  const dialect = readFilesSettings({ path: folder, format: "csv" });
  const cases = {
    "a,A,a": ["a", "A_1", "a_2"],
    "a,a_2,a": ["a", "a_2", "a_2_2"],
    "_c1,,b": ["_c1", "_c1_1", "b"],
    ",_c0,_c0_1": ["_c0", "_c0_1", "_c0_1_2"],
  };
  for (const [line, expected] of Object.entries(cases)) {
    await writeFile(path, `${line}\n1,2,3\n`);
    assert.deepEqual((await readHeader(path, dialect))?.names, expected, line);
  }
});
