import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { migrations } from "./core/store/migrations.ts";

const folder = join(import.meta.dirname, "upgrade-fixtures");

/** Schema versions that were never released without a later one. */
const neverInUse = [2, 9, 10, 11, 19, 20, 21, 22, 23];

test("every schema version that was in use is kept as a database of both kinds", () => {
  const versions = migrations.map((_, n) => n + 1).filter((version) => !neverInUse.includes(version));
  const expected = versions.flatMap((version) =>
    ["postgres", "sqlite"].flatMap((store) =>
      ["json", "sql"].map((ending) => `${String(version).padStart(2, "0")}-${store}.${ending}`),
    ),
  );
  assert.deepEqual(
    globSync("*.{json,sql}", { cwd: folder }).sort(),
    expected,
    "A migration needs a fixture: packages/server/src/upgrade-fixtures/README.md says how to make one.",
  );
});
