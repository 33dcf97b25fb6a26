import { execFileSync } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A small disk of a size such as `8m`; undefined if this user may not mount one. */
export async function smallDisk(t: TestContext, size: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    t.skip("a small disk can only be mounted by root");
    await rmdir(folder);
    return undefined;
  }
  t.after(async () => {
    execFileSync("umount", ["-l", folder]);
    await rmdir(folder);
  });
  return folder;
}
