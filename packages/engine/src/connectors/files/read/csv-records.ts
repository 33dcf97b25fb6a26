import { decoders } from "./csv-header.ts";
import { openDecompressed } from "./record-texts.ts";
import type { CsvDialect } from "./settings.ts";

/** The values of a record as they are written, without quotes, and the line in which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

/** The records of a file, including its header, in one pass. Comments and empty lines are not records. */
export async function* csvRecords(
  path: string,
  dialect: CsvDialect,
  signal: AbortSignal,
): AsyncGenerator<CsvRecord> {
  const split = recordSplitter(dialect);
  const decoder = new TextDecoder(decoders[dialect.encoding]);
  for await (const bytes of openDecompressed(path)) {
    signal.throwIfAborted();
    const records = split(decoder.decode(bytes, { stream: true }));
    if (!records) return;
    yield* records;
  }
  yield* split(`${decoder.decode()}${"\n".repeat(longestDelimiter)}`) ?? [];
}

const longestDelimiter = 4;

/** A longer value has an unclosed quote. DuckDB rejects its line. */
const longestValue = 4 * 2 ** 20;

/** Splits text that comes in pieces, until a value is too long. The last characters of a piece wait for the next one, because they may be half of a token. */
function recordSplitter({
  delimiter,
  quote,
  escape: escapeCharacter,
  comment,
}: CsvDialect): (text: string) => CsvRecord[] | undefined {
  const longestToken = Math.max(2, delimiter.length);
  let rest = "";
  let line = 1;
  let begin = 1;
  let values: string[] = [];
  let value = "";
  let isQuoted = false;
  let isComment = false;
  return (text) => {
    const records: CsvRecord[] = [];
    rest += text;
    let at = 0;
    for (; at + longestToken <= rest.length; at++) {
      const character = rest[at] ?? "";
      const isLineEnd = character === "\n" || character === "\r";
      const isFirst = values.length === 0 && value === "";
      if (isLineEnd && character === "\r" && rest[at + 1] === "\n" && !isQuoted) at += 1;
      if (isLineEnd && !(isQuoted && character === "\r" && rest[at + 1] === "\n")) line += 1;
      if (isComment) {
        if (isLineEnd) [isComment, begin] = [false, line];
      } else if (isQuoted) {
        const next = rest[at + 1];
        if (
          escapeCharacter !== "" &&
          character === escapeCharacter &&
          (next === quote || next === escapeCharacter)
        )
          value += rest[++at];
        else if (character === quote) isQuoted = false;
        else value += character;
      } else if (isLineEnd) {
        if (!isFirst) records.push({ line: begin, values: [...values, value] });
        [values, value, begin] = [[], "", line];
      } else if (isFirst && comment !== "" && character === comment) isComment = true;
      else if (quote !== "" && character === quote && value === "") isQuoted = true;
      else if (rest.startsWith(delimiter, at)) {
        values.push(value);
        value = "";
        at += delimiter.length - 1;
      } else value += character;
    }
    rest = rest.slice(at);
    return value.length > longestValue ? undefined : records;
  };
}
