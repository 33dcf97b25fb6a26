import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { settingsDoc } from "../../../scripts/settings-doc.ts";

test("docs/reference/settings.md matches the table of settings", async () => {
  const written = await readFile(new URL("../../../docs/reference/settings.md", import.meta.url), "utf8");
  assert.equal(
    written,
    settingsDoc(),
    "print it again: node_modules/.bin/node run.js scripts/settings-doc.ts > docs/reference/settings.md",
  );
});
