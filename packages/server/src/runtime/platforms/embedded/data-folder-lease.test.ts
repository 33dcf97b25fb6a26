import assert from "node:assert/strict";
import test from "node:test";
import { ownDataFolder } from "./data-folder-lease.ts";

test("a server alone holds its data folder only once the start is complete: until then it answers 503", async () => {
  const gained = Promise.withResolvers<void>();
  const folder = ownDataFolder(undefined, { onGained: () => gained.promise });
  const started = folder.start("http://127.0.0.1");
  assert.equal(folder.holder(), undefined);
  gained.resolve();
  await started;
  assert.equal(folder.holder(), "here");
});
