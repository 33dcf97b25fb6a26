import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { requireAllowedPath } from "./connector-folders.ts";

test("a connector's path may not be in the data folder or contain it", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "lakehelm-folders-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const own = join(root, "data");
  await mkdir(join(own, "warehouse"), { recursive: true });
  await mkdir(join(root, "shop"));
  await symlink(own, join(root, "link"));
  const requirePath = (path: string, allowed: string[] = []) =>
    requireAllowedPath({ type: "files", config: { path } }, { own, allowed });

  for (const path of [
    "data",
    "data/secret-key",
    "data/warehouse/new.duckdb",
    "link/lakehelm.db",
    "shop/../data",
  ]) {
    await assert.rejects(requirePath(join(root, path)), {
      message: /is in Lakehelm's data folder/,
    });
  }
  for (const path of [root, "/", "/tmp/.."])
    await assert.rejects(requirePath(path), { message: /contains Lakehelm's data folder/ });
  for (const path of ["shop", "shop/orders.csv", "shop/not/there", "data-of-others"])
    await requirePath(join(root, path));
  await requirePath(join(root, "shop", "a"), [join(root, "shop")]);
  await assert.rejects(requirePath(join(root, "elsewhere"), [join(root, "shop")]), {
    message: /is not in one of the folders that PLATFORM_CONNECTOR_FOLDERS allows/,
  });
  await assert.rejects(requirePath("shop"), {
    message: 'The path shop is not absolute: it must begin with "/".',
  });
  await requireAllowedPath({ type: "postgresql", config: { host: "db" } }, { own, allowed: [] });
});
