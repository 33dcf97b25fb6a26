import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { compareCodeUnits, type DesignFile } from "@lakehelm/codegen";
import { unavailable } from "../../core/errors.ts";

const prefix = "lakehelm-design-";

/**
 * Writes files into a temporary folder, hands over what is read back from there, and removes the folder when that is done.
 * Its name tells whose it is: the next start may remove those of processes that are gone.
 */
export async function inTemporaryFolder<T>(
  files: readonly DesignFile[],
  judge: (readBack: readonly DesignFile[]) => Promise<T>,
  root = tmpdir(),
): Promise<T> {
  let folder: string | undefined;
  const refused = (error: unknown): never => {
    throw unavailable("The temporary folder for designs cannot be used.", error);
  };
  try {
    folder = await mkdtemp(join(root, `${prefix}${process.pid}-`)).catch(refused);
    await writeInto(folder, files).catch(refused);
    return await judge(await readFolder(folder).catch(refused));
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function writeInto(folder: string, files: readonly DesignFile[]): Promise<void> {
  for (const { path, content } of files) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content, { flag: "wx" });
  }
}

async function readFolder(folder: string): Promise<DesignFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  const files: DesignFile[] = [];
  for (const place of places) {
    const path = relative(folder, place).replaceAll(sep, "/");
    files.push({ path, content: await readFile(place, "utf8") });
  }
  return files.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** At a start: removes what processes that ended suddenly have left. Answers how many folders that were. */
export async function cleanTemporary(root = tmpdir()): Promise<number> {
  const left = (await readdir(root)).filter((name) => name.startsWith(prefix) && !isInUse(name));
  const removed = await Promise.allSettled(
    left.map((name) => rm(join(root, name), { recursive: true, force: true })),
  );
  // Another user's leftovers are not ours to remove, and no reason not to start.
  return removed.filter(({ status }) => status === "fulfilled").length;
}

/** Our own number on a folder is that of a former process: at a start we have made none yet. */
function isInUse(name: string): boolean {
  const owner = Number.parseInt(name.slice(prefix.length), 10);
  if (!(owner > 0) || owner === process.pid) return false;
  try {
    return process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
