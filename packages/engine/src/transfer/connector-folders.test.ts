import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { requireAllowedPath } from "./connector-folders.ts";

test("no path of a connector leads into the data folder, or lies above it", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "lakehelm-folders-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const own = join(root, "data");
  await mkdir(join(own, "warehouse"), { recursive: true });
  await mkdir(join(root, "shop"));
  await symlink(own, join(root, "link"));
  const asks = (path: string, allowed: string[] = []) =>
    requireAllowedPath({ type: "files", config: { path } }, { own, allowed });

  for (const path of [
    "data",
    "data/secret-key",
    "data/warehouse/new.duckdb",
    "link/lakehelm.db",
    "shop/../data",
  ]) {
    await assert.rejects(asks(join(root, path)), {
      message: /is in Lakehelm's data folder/,
    });
  }
  for (const path of [root, "/", "/tmp/.."])
    await assert.rejects(asks(path), { message: /contains Lakehelm's data folder/ });
  for (const path of ["shop", "shop/orders.csv", "shop/not/there", "data-of-others"])
    await asks(join(root, path));
  await asks(join(root, "shop", "a"), [join(root, "shop")]);
  await assert.rejects(asks(join(root, "elsewhere"), [join(root, "shop")]), {
    message: /is not in one of the folders that PLATFORM_CONNECTOR_FOLDERS allows/,
  });
  await assert.rejects(asks("shop"), { message: 'The path shop is not absolute: it must begin with "/".' });
  await requireAllowedPath({ type: "postgresql", config: { host: "db" } }, { own, allowed: [] });
});
