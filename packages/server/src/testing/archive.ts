import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { hasCode } from "../core/files/disk.ts";

/** The files of one kind in an archive folder, sorted by name and therefore by day. */
async function archiveFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return names.filter((name) => /\.jsonl(\.gz)?$/.test(name) && name !== "manifest.jsonl").sort();
}

/** All lines of an archive folder of one kind, as `zcat` prints them. */
export async function archivedLines(folder: string): Promise<string[]> {
  const files = (await archiveFiles(folder)).map((name) => join(folder, name));
  const texts = await Promise.all(
    files.map(async (path) => {
      const bytes = await readFile(path);
      return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    }),
  );
  return texts.flatMap((text) => text.trimEnd().split("\n"));
}
