import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { hasCode } from "../files/disk.ts";
import type { ArchiveEntry } from "./archive-entry.ts";

const unpack = promisify(gunzip);

/** Entries one after the other are a file that `zcat` reads. */
export const pack: (text: Buffer) => Promise<Buffer> = promisify(gzip);

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The text of an entry; `missing` if its file does not exist, `changed` if the text is not as it was written. */
export async function readEntry(
  folder: string,
  { file: name, offset, bytes, text_bytes, sha256 }: ArchiveEntry,
): Promise<Buffer | "missing" | "changed"> {
  try {
    const file = await open(join(folder, name));
    try {
      // An entry without an offset is the whole file.
      if (offset === undefined && (await file.stat()).size !== bytes) return "changed";
      const found = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(found, 0, bytes, offset ?? 0);
      if (bytesRead < bytes) return "changed";
      const text = offset === undefined ? found : await unpack(found, { maxOutputLength: text_bytes ?? 0 });
      return sha256Of(text) === sha256 ? text : "changed";
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "missing";
    if (hasCode(error, "EACCES", "EIO", "EISDIR")) throw error;
    return "changed";
  }
}
