import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connectorFolders } from "./connector-folders.ts";

test("a start warns of granted folders that connectors cannot use", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "lakehelm-folders-"));
  t.after(() => rm(home, { recursive: true }));
  const data = join(home, "data");
  const exchange = join(home, "data-in");
  for (const folder of [join(data, "below"), exchange]) await mkdir(folder, { recursive: true });
  const warnings: unknown[] = [];
  const warn = (...entry: unknown[]) => void warnings.push(entry);
  // Other folders beside the data folder may be used, so its parent is a useful grant.
  const configured = [exchange, home, join(home, "missing"), join(data, "below")];
  const { granted } = await connectorFolders({ PLATFORM_CONNECTOR_FOLDERS: configured }, data, { warn });
  assert.deepEqual(granted, configured);
  assert.deepEqual(warnings, [
    [
      { folder: join(home, "missing") },
      "PLATFORM_CONNECTOR_FOLDERS: this folder does not exist, or the server's user cannot open it",
    ],
    [{ folder: join(data, "below") }, "PLATFORM_CONNECTOR_FOLDERS: connectors never use the data folder"],
  ]);
});
