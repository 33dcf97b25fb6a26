import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { cliDoc } from "../../../scripts/cli-doc.ts";

test("docs/reference/cli.md matches the commands", async () => {
  const written = await readFile(new URL("../../../docs/reference/cli.md", import.meta.url), "utf8");
  assert.equal(
    written,
    await cliDoc(),
    "print it again: node_modules/.bin/node run.js scripts/cli-doc.ts > docs/reference/cli.md",
  );
});
