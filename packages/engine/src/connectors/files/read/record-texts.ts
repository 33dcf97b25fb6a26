import { createReadStream } from "node:fs";
import { DataProblem } from "../../../protocol/problem.ts";
import { gunzip } from "./gzip.ts";

/** The text of a record, and the line in which it begins. */
export interface RecordText {
  readonly text: string;
  readonly line: number;
}

/** A longer record means that the file is not JSON. */
const maxRecordLength = 64 * 2 ** 20;

export const isCompressed = (path: string): boolean => /\.gz$/i.test(path);

/** The first bytes of compressed files, in hexadecimal. */
const otherFormats: Readonly<Record<string, string>> = {
  "1f8b": "gzip. Name it with .gz at the end",
  "28b52ffd": "Zstandard. Compress it with gzip instead",
  "425a68": "bzip2. Compress it with gzip instead",
  fd377a58: "xz. Compress it with gzip instead",
  "504b0304": "ZIP. Unpack it",
};

/**
 * The bytes of a file, decompressed if necessary. Throws a DataProblem if they are damaged, or compressed in a way
 * other than gzip.
 */
export async function* openDecompressed(path: string): AsyncGenerator<Buffer> {
  const bytes: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024 });
  let isFirst = true;
  for await (const chunk of isCompressed(path) ? gunzip(bytes, path) : bytes) {
    if (isFirst) refuseCompressed(chunk, path);
    isFirst = false;
    yield chunk;
  }
}

function refuseCompressed(start: Buffer, path: string): void {
  const first = start.subarray(0, 4).toString("hex");
  const format = Object.entries(otherFormats).find(([mark]) => first.startsWith(mark))?.[1];
  if (format !== undefined) throw new DataProblem(`${path} is not text, but compressed with ${format}.`);
}

/**
 * The records of a JSON file: one per line, a list of records, or one after the other. With one record per line, a bad line
 * affects only itself. In a list, nothing after an error can be read.
 */
export async function* recordTexts(path: string): AsyncGenerator<RecordText> {
  let isLines: boolean | undefined;
  let rest = "";
  let line = 1;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new DataProblem(
        `${path} is not valid JSON: it has bytes after line ${line} that are not UTF-8.`,
        {
          cause: error,
        },
      );
    }
  };
  for await (const bytes of openDecompressed(path)) {
    rest += decode(bytes);
    if (isLines === undefined && !/\S/.test(rest)) continue;
    isLines ??= hasRecordPerLine(rest);
    const split = isLines ? splitLines(rest, line) : splitValues(rest, line, path);
    yield* split.records;
    ({ rest, line } = split);
    if (rest.length > maxRecordLength)
      throw new DataProblem(`${path}: the record that begins in line ${line} is too long, or is not JSON.`);
  }
  rest += decode();
  const last = rest.trim();
  if (isLines && last !== "") yield { text: last, line };
  if (!isLines && !/^[\s\],]*$/.test(rest)) {
    throw new DataProblem(`${path} ends in the middle of a record that begins in line ${line}.`);
  }
}

/** If the first line is a complete record, every line is one. */
function hasRecordPerLine(text: string): boolean {
  const first = text.trimStart().split("\n", 1)[0]?.trim() ?? "";
  if (!first.startsWith("{")) return false;
  return first.endsWith("}") || text.trimStart().length === first.length;
}

interface SplitText {
  readonly records: RecordText[];
  readonly rest: string;
  readonly line: number;
}

function splitLines(text: string, from: number): SplitText {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const records = lines
    .map((line, at) => ({ text: line.trim(), line: from + at }))
    .filter((record) => record.text !== "");
  return { records, rest, line: from + lines.length };
}

/** Splits top-level objects by their braces. Only separators of a list may be between them. */
function splitValues(text: string, from: number, path: string): SplitText {
  const records: RecordText[] = [];
  let depth = 0;
  let start = 0;
  let line = from;
  let startLine = from;
  // A string is one token, so its braces do not count. An incomplete string waits for more text.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|[{}\n]|[^\s{}",[\]]+/g)) {
    if (token === "\n") line += 1;
    else if (token === "{") {
      if (depth === 0) [start, startLine] = [index, line];
      depth += 1;
    } else if (token === "}" && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      records.push({ text: text.slice(start, index + 1), line: startLine });
      start = index + 1;
      startLine = line;
    } else if (depth === 0) {
      throw new DataProblem(
        `${path}, line ${line}: ${token.slice(0, 50)} is not a record. Expected JSON objects.`,
      );
    }
  }
  return { records, rest: text.slice(start), line: startLine };
}
