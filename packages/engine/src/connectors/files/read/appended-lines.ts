import { createHash, type Hash } from "node:crypto";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../../../protocol/problem.ts";
import type { SourceContext } from "../../source/context.ts";
import type { FileArrivals, ReadContent } from "../../source/source.ts";
import type { FileWork, OpenedFile } from "./file-store.ts";
import { withRealPaths } from "./real-paths.ts";
import { openDecompressed } from "./record-texts.ts";

/** What a format must tell so that a file can be read from a line in the middle. */
export interface LineFormat {
  /** The bytes to put before the added part so that it can be read like a whole file: the header. */
  startOf(path: string): Promise<Buffer>;
  /** The quote character, within which a line end is part of a value, and the character that escapes a quote. */
  readonly quotes?: { readonly quote: number; readonly escape: number } | undefined;
}

export interface AppendedLinesOptions extends Pick<SourceContext, "temporaryFolder"> {
  readonly arrivals: FileArrivals;
  /** Undefined if files of this format do not grow by lines. */
  readonly format: LineFormat | undefined;
  /** The `place` of each file that exists now. */
  readonly listed: ReadonlySet<string>;
}

/**
 * Passes on only what was added to a file since a run appended its rows, because `append` adds each row once. Throws a
 * DataProblem if the file has changed in another way, because then it is unknown which of its rows are new.
 */
export async function withAppendedLines(
  files: readonly OpenedFile[],
  options: AppendedLinesOptions,
  work: FileWork,
): Promise<void> {
  await mkdir(options.temporaryFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(options.temporaryFolder, "appended-"));
  const fresh: OpenedFile[] = [];
  const contents: ReadContent[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const part = await partOf(file, join(folder, `${at}.txt`), options);
      if (part.file) fresh.push(part.file);
      contents.push(part.content);
    }
    if (fresh.length > 0) await work(fresh);
    for (const content of contents) options.arrivals.addContent(content);
  } catch (error) {
    throw withRealPaths(error, fresh);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Part {
  /** Undefined if nothing was added. */
  readonly file: OpenedFile | undefined;
  readonly content: ReadContent;
}

async function partOf(file: OpenedFile, path: string, options: AppendedLinesOptions): Promise<Part> {
  const { arrivals, listed } = options;
  const known = arrivals.contentOf(file.name, file.place ?? "");
  // The file that had this name was renamed and still exists, as after log rotation: this is a new file.
  const isOther = known?.name === file.name && known.place !== file.place && listed.has(known.place);
  if (!known || isOther) return { file, content: await contentOf(file) };
  const part = await readPart(file, path, known, options);
  if (typeof part !== "string") return part;
  // This file reuses the inode number of a deleted file.
  if (known.name !== file.name) return { file, content: await contentOf(file) };
  throw new DataProblem(
    `${file.realPath} ${part}. Its earlier rows were appended, and "append" adds each row once, so nothing tells which rows are new. If all of them are, give the file another name. Otherwise restore it, or set primary_keys and the write strategy upsert.`,
  );
}

/** Counts and hashes what was read. */
class ContentReader {
  readonly hash: Hash = createHash("sha256");
  bytes = 0;
  lines = 0;

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) this.lines += 1;
  }

  of({ name, place = "" }: OpenedFile): ReadContent {
    const digest = this.hash.copy().digest("hex");
    return { name, place, bytes: this.bytes, digest, lines: this.lines };
  }
}

async function contentOf(file: OpenedFile): Promise<ReadContent> {
  const content = new ContentReader();
  for await (const chunk of openDecompressed(file.path)) content.add(chunk);
  return content.of(file);
}

/**
 * Returns the part after the point where the last run ended, or the reason why the file cannot be continued from there.
 */
async function readPart(
  file: OpenedFile,
  path: string,
  known: ReadContent,
  { format }: AppendedLinesOptions,
): Promise<Part | string> {
  const content = new ContentReader();
  const quotes = new QuoteCounter(format);
  const target = await open(path, "wx", 0o600);
  let last = 0x0a;
  let isLineOpen = false;
  let lineOffset = known.lines;
  let isSame = known.bytes === 0;
  let added = 0;
  const start = format ? await format.startOf(file.path) : Buffer.alloc(0);
  try {
    for await (const chunk of openDecompressed(file.path)) {
      const before = chunk.subarray(0, Math.max(0, known.bytes - content.bytes));
      const after = chunk.subarray(before.length);
      content.add(before);
      quotes.add(before);
      last = before.at(-1) ?? last;
      if (!isSame && content.bytes === known.bytes) {
        if (content.of(file).digest !== known.digest) return changedIn(known);
        isSame = true;
        isLineOpen = known.bytes > 0 && last !== 0x0a && last !== 0x0d;
      }
      if (after.length === 0) continue;
      if (!format) return changedIn(known);
      content.add(after);
      let rest = after;
      if (isLineOpen && added === 0) {
        const end = /^(\r\n|\n|\r)/.exec(after.subarray(0, 2).toString("latin1"))?.[0] ?? "";
        if (end === "") return "was continued in its last line, which had no line end when a run read it";
        rest = after.subarray(end.length);
        lineOffset += 1;
      }
      if (quotes.isInside) return "ended within quotes when a run read it, and was continued";
      if (added === 0) await target.write(start);
      await target.write(rest);
      added += after.length;
      isLineOpen = false;
    }
  } finally {
    await target.close();
  }
  if (!isSame) return `is shorter than it was: it had ${counted(known.lines, "line")}`;
  const isEmpty = added === 0;
  const startLines = start.length === 0 ? 0 : 1;
  return {
    file: isEmpty ? undefined : { ...file, path, lineOffset: lineOffset - startLines },
    content: content.of(file),
  };
}

const changedIn = ({ lines }: ReadContent): string =>
  `has changed in what a run has read of it (${counted(lines, "line")})`;

/** Tracks whether the text so far ends within quotes, where a line end is part of a value. */
class QuoteCounter {
  readonly #quotes: LineFormat["quotes"];
  #last = 0;
  isInside = false;

  constructor(format: LineFormat | undefined) {
    this.#quotes = format?.quotes;
  }

  add(chunk: Buffer): void {
    if (!this.#quotes) return;
    const { quote, escape: escapeByte } = this.#quotes;
    for (let at = chunk.indexOf(quote); at >= 0; at = chunk.indexOf(quote, at + 1)) {
      const before = at === 0 ? this.#last : chunk[at - 1];
      if (escapeByte === quote || before !== escapeByte) this.isInside = !this.isInside;
    }
    this.#last = chunk.at(-1) ?? this.#last;
  }
}

/** Writes a header in the dialect of the file. */
export function headerLine(
  names: readonly string[],
  {
    delimiter,
    quote,
    escape: escapeCharacter,
  }: { readonly delimiter: string; readonly quote: string; readonly escape: string },
): string {
  const field = (name: string) =>
    quote === "" ? name : quote + name.replaceAll(quote, (escapeCharacter || quote) + quote) + quote;
  return names.map(field).join(delimiter);
}
