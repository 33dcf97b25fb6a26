import { type FileHandle, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { requireSpace } from "../../s3/disk-space.ts";
import type { SourceContext } from "../../source/context.ts";
import type { FileWork, OpenedFile } from "./file-store.ts";
import { withRealPaths } from "./real-paths.ts";
import { isCompressed, openDecompressed } from "./record-texts.ts";
import type { CsvDialect } from "./settings.ts";

/** Decoded files are read and deleted in groups of this size. A larger file is a group of its own. */
const groupBytes = 256 * 2 ** 20;
const spaceBytes = 64 * 2 ** 20;

/** Where files are decoded. */
export type DecodingContext = Pick<SourceContext, "temporaryFolder" | "diskReserveMb">;

interface DecodingOptions extends DecodingContext {
  readonly encoding: CsvDialect["encoding"];
  /** Decodes at most this many bytes of a file, up to the end of a line. */
  readonly most?: number | undefined;
}

/**
 * Passes on text files that are neither compressed nor in UTF-16. DuckDB takes a truncated gzip file for a complete
 * one, and cannot read characters of two UTF-16 units, so both kinds are first decoded to their end into temporary
 * files: a damaged file is an error before any row is read.
 */
export async function withDecodedFiles(
  files: readonly OpenedFile[],
  options: DecodingOptions,
  work: FileWork,
): Promise<void> {
  const isDecoded = ({ path }: OpenedFile) => isCompressed(path) || options.encoding === "utf-16";
  if (!files.some(isDecoded)) return work(files);
  await mkdir(options.temporaryFolder, { recursive: true, mode: 0o700 });
  for (let at = 0; at < files.length; ) {
    const folder = await mkdtemp(join(options.temporaryFolder, "decoded-"));
    const group: OpenedFile[] = [];
    try {
      for (let bytes = 0; at < files.length && bytes < groupBytes; at += 1) {
        const file = files[at];
        if (!file) continue;
        if (!isDecoded(file)) {
          group.push(file);
          continue;
        }
        const path = join(folder, `${group.length}.txt`);
        const decoded = await decode(file, path, options);
        group.push({ ...file, path, ...(decoded.isExcerpt && { isExcerpt: true }) });
        bytes += decoded.bytes;
      }
      await work(group);
    } catch (error) {
      throw withRealPaths(error, group);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function decode(
  file: OpenedFile,
  path: string,
  { encoding, most = Number.POSITIVE_INFINITY, temporaryFolder, diskReserveMb }: DecodingOptions,
): Promise<{ readonly bytes: number; readonly isExcerpt: boolean }> {
  const target = await open(path, "wx", 0o600);
  let bytes = 0;
  let checked = 0;
  try {
    for await (const chunk of encoding === "utf-16" ? utf8Bytes(file) : openDecompressed(file.path)) {
      if (bytes + chunk.length > most) {
        bytes += await writeLines(target, chunk.subarray(0, most - bytes));
        return { bytes, isExcerpt: true };
      }
      if (bytes >= checked) {
        await requireSpace(temporaryFolder, spaceBytes, diskReserveMb);
        checked = bytes + spaceBytes;
      }
      await target.write(chunk);
      bytes += chunk.length;
    }
    return { bytes, isExcerpt: false };
  } finally {
    await target.close();
  }
}

/** The last line of an excerpt is incomplete. An excerpt without a line end is left as it is. */
async function writeLines(target: FileHandle, bytes: Buffer): Promise<number> {
  const end = Math.max(bytes.lastIndexOf("\n"), bytes.lastIndexOf("\r")) + 1;
  const lines = bytes.subarray(0, end || bytes.length);
  await target.write(lines);
  return lines.length;
}

/** The text of a UTF-16 file in UTF-8. A byte order mark tells the order of its bytes, otherwise the low one is first. */
async function* utf8Bytes({ path, isExcerpt }: OpenedFile): AsyncGenerator<Buffer> {
  const wrong = (cause: unknown) =>
    new DataProblem(`${path} is not in UTF-16: it has bytes that are no character, or ends within one.`, {
      cause,
    });
  let start: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const decode = (bytes?: Buffer) => {
    try {
      return Buffer.from(decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "");
    } catch (error) {
      throw wrong(error);
    }
  };
  for await (const bytes of openDecompressed(path)) {
    start = decoder ? bytes : Buffer.concat([start, bytes]);
    if (start.length < 2) continue;
    const isBigEndian = start[0] === 0xfe && start[1] === 0xff;
    decoder ??= new TextDecoder(isBigEndian ? "utf-16be" : "utf-16le", { fatal: true });
    yield decode(start);
  }
  // An excerpt may end within a character.
  if (!decoder && start.length > 0 && !isExcerpt) throw wrong(undefined);
  if (!isExcerpt) yield decode();
}
