import { constants } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { diskProblem } from "../../core/files/disk.ts";
import { filesBelow } from "./listing.ts";

/**
 * Copies the files below a folder. Links are skipped; every file is made executable, since its `app.yaml` may run it.
 */
export async function copyFiles(from: string, to: string): Promise<void> {
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    for await (const path of filesBelow(from)) {
      const target = join(to, path);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      // Copy-on-write if the file system supports it.
      await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o700);
    }
  } catch (error) {
    throw diskProblem(error);
  }
}
