import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;

/**
 * A secret in a file with mode 0600, created once and read at every later start. It is written to a temporary file and
 * linked into place, so that a reader never sees half a file, and the first of two writers wins.
 */
export async function persistentValue(
  path: string,
  make: () => string,
  randomBytes: (size: number) => Buffer,
): Promise<string> {
  const before = await read(path);
  if (before !== undefined) return before;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  const kept = await read(path);
  if (kept === undefined) throw new Error(`${path} was removed while it was being created.`);
  return kept;
}

async function read(path: string): Promise<string | undefined> {
  try {
    const kept = (await readFile(path, "utf8")).trim();
    if (kept === "")
      throw new Error(`${path} is empty. Restore it, or delete it: the next start then creates a new one.`);
    return kept;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
