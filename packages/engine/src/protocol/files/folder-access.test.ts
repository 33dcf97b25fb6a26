import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resolvePath } from "./folder-access.ts";

test("connectors use granted folders only, and never the data folder or the operating system's", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "lakehelm-folders-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const dataFolder = join(root, "data");
  const shop = join(root, "shop");
  await mkdir(join(dataFolder, "warehouse"), { recursive: true });
  await mkdir(shop);
  await symlink(dataFolder, join(shop, "link"));
  await symlink("/proc/self", join(shop, "process"));
  await symlink("/etc", join(shop, "etc"));
  await symlink(join(root, "elsewhere/new.db"), join(shop, "dangling"));
  await symlink("dangling", join(shop, "chain"));
  await symlink("loop", join(shop, "loop"));
  const use = (path: string, granted: string[]) => resolvePath(path, { granted, dataFolder });
  const refused = (path: string, granted: string[], message: RegExp) =>
    assert.rejects(use(path, granted), { message });

  for (const path of [
    "data",
    "data/secret-key",
    "data/warehouse/new.duckdb",
    "shop/link/x",
    "shop/../data",
  ]) {
    await refused(join(root, path), ["/"], /is in Lakehelm's data folder/);
  }
  for (const path of [root, "/", "/tmp/.."]) await refused(path, ["/"], /contains Lakehelm's data folder/);
  for (const path of ["/proc/1/environ", "/sys/kernel", "/dev/null", join(shop, "process/environ")]) {
    await refused(path, ["/"], /belongs to the operating system/);
  }
  for (const path of [shop, join(shop, "orders.csv"), join(shop, "not/there")]) await use(path, [shop]);
  for (const path of [
    join(root, "elsewhere"),
    `${shop}-of-others`,
    join(shop, "etc/passwd"),
    join(shop, "dangling"),
    join(shop, "chain"),
    join(shop, "not/../../elsewhere"),
    `/proc/self/root${root}/elsewhere`,
    "/etc/passwd",
  ]) {
    await refused(path, [shop], /cannot be used: connectors may use only these folders: .*shop\. /);
  }
  await refused("/etc/passwd", [], /cannot be used: no folder is granted to connectors/);
  await refused("shop", ["/"], /The path shop is not absolute: it must begin with "\/"\./);
});
