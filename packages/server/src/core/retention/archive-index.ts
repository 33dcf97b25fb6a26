import { stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../files/disk.ts";
import { linesOf } from "../files/lines.ts";
import { type ArchiveEntry, manifestName, parseEntry, type RetainedKind } from "./archive-entry.ts";

/** What the manifests say about files, so that an append need not read them each time. */
export interface ArchiveIndex {
  /** The end of the last listed entry of each file, by the file's name. */
  ends(kind: RetainedKind): Promise<ReadonlyMap<string, number>>;
  /** How much text of a process is in files that still exist. */
  bytesOf(process: string): Promise<number>;
}

interface KnownManifest {
  readonly bytes: number;
  readonly ends: Map<string, number>;
  /** The size of text by process and file. Only for output of processes. */
  readonly text: Map<string, Map<string, number>>;
}

/** Longer than every line of a manifest. */
const maxLine = 64 * 1024;
const output = "process_logs";

export function createArchiveIndex(folderOf: (kind: RetainedKind) => string): ArchiveIndex {
  const known = new Map<RetainedKind, KnownManifest>();

  async function manifest(kind: RetainedKind): Promise<KnownManifest> {
    const path = join(folderOf(kind), manifestName);
    const bytes = await sizeOf(path);
    const before = known.get(kind);
    // Another server may have appended to the manifest, and a restored backup has another manifest.
    if (before?.bytes === bytes) return before;
    const found: KnownManifest = { bytes, ends: new Map(), text: new Map() };
    if (bytes > 0) {
      for await (const line of linesOf(path, maxLine)) {
        const entry = parseEntry(line);
        if (entry) add(found, kind, entry);
      }
    }
    known.set(kind, found);
    return found;
  }

  return {
    ends: async (kind) => (await manifest(kind)).ends,
    async bytesOf(process) {
      let sum = 0;
      for (const [file, bytes] of (await manifest(output)).text.get(process) ?? [])
        if ((await sizeOf(join(folderOf(output), file))) > 0) sum += bytes;
      return sum;
    },
  };
}

function add({ ends, text }: KnownManifest, kind: RetainedKind, entry: ArchiveEntry): void {
  const { file, offset = 0, bytes, text_bytes = bytes, first } = entry;
  ends.set(file, Math.max(ends.get(file) ?? 0, offset + bytes));
  if (kind !== output) return;
  // `first` is the id of the process, then `-` and a position.
  const process = String(first).replace(/-\d+$/, "");
  const files = text.getOrInsertComputed(process, () => new Map());
  files.set(file, (files.get(file) ?? 0) + text_bytes);
}

/** 0 if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}
