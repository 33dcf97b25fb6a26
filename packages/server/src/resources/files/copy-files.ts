import { constants } from "node:fs";
import { chmod, copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { conflict } from "../../core/errors.ts";
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

/** Reads the files below a folder. Links are skipped. */
export async function readFiles(
  from: string,
  limits: { readonly files: number; readonly bytes: number },
): Promise<{ readonly path: string; readonly content: Uint8Array }[]> {
  const files: { readonly path: string; readonly content: Uint8Array }[] = [];
  let bytes = 0;
  for await (const path of filesBelow(from)) {
    const content = await readFile(join(from, path)).catch((error) => {
      throw diskProblem(error);
    });
    bytes += content.byteLength;
    if (files.length >= limits.files || bytes > limits.bytes)
      throw conflict(
        `The folder has more than ${limits.files} files or ${limits.bytes / 1024 / 1024} MB, which is too much to upload.`,
      );
    files.push({ path, content });
  }
  return files;
}
