import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { DataProblem } from "../../../protocol/problem.ts";

/** The text of a record, and the line that it begins in. */
export interface RecordText {
  readonly text: string;
  readonly line: number;
}

/** A record longer than this is taken for a file that is no JSON. */
const longest = 64 * 2 ** 20;

/** The bytes of a file as they were before it was packed. */
export function openDecompressed(path: string): NodeJS.ReadableStream & AsyncIterable<Buffer> {
  const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (!path.endsWith(".gz")) return bytes;
  // Whoever stops reading in the middle closes the file too; what goes wrong is told to the one who reads.
  return pipeline(bytes, createGunzip(), () => {});
}

/**
 * The records of a JSON file, one by one: each line is one, or the file is a list of them, or they follow each other. What is
 * in a line alone can be wrong alone; in a list, what follows the mistake cannot be read either.
 */
export async function* recordTexts(path: string): AsyncGenerator<RecordText> {
  let isLines: boolean | undefined;
  let rest = "";
  let line = 1;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new DataProblem(`${path} is not JSON: after line ${line} it has bytes that are no UTF-8.`, {
        cause: error,
      });
    }
  };
  for await (const bytes of openDecompressed(path)) {
    rest += decoded(bytes);
    if (isLines === undefined && !/\S/.test(rest)) continue;
    isLines ??= hasLines(rest);
    const cut = isLines ? cutLines(rest, line) : cutValues(rest, line, path);
    yield* cut.records;
    ({ rest, line } = cut);
    if (rest.length > longest)
      throw new DataProblem(`${path}: line ${line} begins what is no record of JSON.`);
  }
  rest += decoded();
  const last = rest.trim();
  if (isLines && last !== "") yield { text: last, line };
  if (!isLines && !/^[\s\],]*$/.test(rest)) {
    throw new DataProblem(`${path} ends in the middle of a record that begins in line ${line}.`);
  }
}

/** A first line that is a whole record says that all lines are. */
function hasLines(start: string): boolean {
  const first = start.trimStart().split("\n", 1)[0]?.trim() ?? "";
  if (!first.startsWith("{")) return false;
  return first.endsWith("}") || start.trimStart().length === first.length;
}

interface SplitText {
  readonly records: RecordText[];
  readonly rest: string;
  readonly line: number;
}

function cutLines(text: string, from: number): SplitText {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const records = lines
    .map((line, at) => ({ text: line.trim(), line: from + at }))
    .filter((record) => record.text !== "");
  return { records, rest, line: from + lines.length };
}

/** Objects at the top, found by their braces; between them only what a list has between its items. */
function cutValues(text: string, from: number, path: string): SplitText {
  const records: RecordText[] = [];
  let depth = 0;
  let begin = 0;
  let line = from;
  let lineOfBegin = from;
  // Braces in texts are none: a text is one token, and one without an end waits for more.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|[{}\n]|[^\s{}",[\]]+/g)) {
    if (token === "\n") line += 1;
    else if (token === "{") {
      if (depth === 0) [begin, lineOfBegin] = [index, line];
      depth += 1;
    } else if (token === "}" && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      records.push({ text: text.slice(begin, index + 1), line: lineOfBegin });
      begin = index + 1;
      lineOfBegin = line;
    } else if (depth === 0) {
      throw new DataProblem(
        `${path}, line ${line}: ${token.slice(0, 50)} is no record. Expected JSON objects.`,
      );
    }
  }
  return { records, rest: text.slice(begin), line: lineOfBegin };
}
