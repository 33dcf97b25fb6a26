import { type CsvHeader, decoders } from "./csv-header.ts";
import { openDecompressed } from "./record-texts.ts";
import type { CsvDialect } from "./settings.ts";

/** The values of a record as they are written, without quotes, and the line in which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

/** The records of a file in batches, including its header. Comments and empty lines are not records. */
export async function* csvRecords(
  path: string,
  dialect: CsvDialect,
  newLine: CsvHeader["newLine"],
  onRead: (characters: number) => void,
): AsyncGenerator<readonly CsvRecord[]> {
  const split = recordSplitter(dialect, newLine === "\r" ? "\r" : "\n");
  const decoder = new TextDecoder(decoders[dialect.encoding]);
  for await (const bytes of openDecompressed(path)) {
    const text = decoder.decode(bytes, { stream: true });
    onRead(text.length);
    const records = split(text);
    if (!records) return;
    yield records;
  }
  yield split(`${decoder.decode()}${newLine}`) ?? [];
}

/** A longer record has an unclosed quote. DuckDB rejects its line. */
const longestRecord = 4 * 2 ** 20;

/**
 * Splits text that arrives in chunks. An incomplete record waits for the next chunk. Undefined if a record is too long.
 */
function recordSplitter(dialect: CsvDialect, lineEnd: "\n" | "\r") {
  let rest = "";
  let line = 1;
  return (text: string): CsvRecord[] | undefined => {
    rest += text;
    const records: CsvRecord[] = [];
    let at = 0;
    for (;;) {
      const end = rest.indexOf(lineEnd, at);
      if (end < 0) break;
      const isComment = dialect.comment !== "" && rest.startsWith(dialect.comment, at);
      const found = isComment ? { values: [], next: end + 1 } : recordAt(rest, at, end, lineEnd, dialect);
      if (!found) break;
      if (found.values.length > 0) records.push({ line, values: found.values });
      line += found.next === end + 1 ? 1 : linesIn(rest.slice(at, found.next));
      at = found.next;
    }
    rest = rest.slice(at);
    return rest.length > longestRecord ? undefined : records;
  };
}

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

interface FoundRecord {
  /** Empty if the line is empty. */
  readonly values: readonly string[];
  /** Where the next record begins. */
  readonly next: number;
}

/** Undefined if the record does not end within the text. */
function recordAt(
  text: string,
  from: number,
  lineEndAt: number,
  lineEnd: string,
  dialect: CsvDialect,
): FoundRecord | undefined {
  const { delimiter, quote } = dialect;
  const isCarriageReturnLeft = lineEnd === "\n" && text[lineEndAt - 1] === "\r" && lineEndAt > from;
  const lineText = text.slice(from, isCarriageReturnLeft ? lineEndAt - 1 : lineEndAt);
  if (lineText === "") return { values: [], next: lineEndAt + 1 };
  if (quote === "" || !lineText.includes(quote))
    return { values: lineText.split(delimiter), next: lineEndAt + 1 };
  const quoted = allQuoted(lineText, dialect);
  if (quoted) return { values: quoted, next: lineEndAt + 1 };
  const values: string[] = [];
  let at = from;
  for (;;) {
    let value = "";
    if (text[at] === quote) {
      const found = quotedValue(text, at + 1, dialect);
      if (!found) return undefined;
      ({ value, next: at } = found);
    }
    const end = endOfValue(text, at, delimiter, lineEnd);
    if (!end) return undefined;
    values.push(value + text.slice(at, end.at));
    if (end.isLast) return { values, next: end.next };
    at = end.next;
  }
}

/**
 * The values of a line if all of them are quoted and none contains a quote. Many files are written like this, and
 * reading them in this way takes a third of the time.
 */
function allQuoted(line: string, dialect: CsvDialect): readonly string[] | undefined {
  const { delimiter, quote } = dialect;
  if (line.length < 2 || !line.startsWith(quote) || !line.endsWith(quote)) return undefined;
  const inner = line.slice(1, -1);
  if (dialect.escape !== quote && dialect.escape !== "" && inner.includes(dialect.escape)) return undefined;
  const values = inner.split(quote + delimiter + quote);
  return values.some((value) => value.includes(quote)) ? undefined : values;
}

/** The end of an unquoted value, or of the rest of a value after its quoted part. */
function endOfValue(text: string, from: number, delimiter: string, lineEnd: string) {
  const line = text.indexOf(lineEnd, from);
  if (line < 0) return undefined;
  const found = text.indexOf(delimiter, from);
  if (found >= 0 && found < line) return { at: found, next: found + delimiter.length, isLast: false };
  const isPair = lineEnd === "\n" && text[line - 1] === "\r" && line > from;
  return { at: isPair ? line - 1 : line, next: line + 1, isLast: true };
}

/**
 * Reads a quoted value. `from` is the position after the opening quote, `next` the position after the closing quote.
 */
function quotedValue(
  text: string,
  from: number,
  { quote, escape: escapeCharacter }: CsvDialect,
): { readonly value: string; readonly next: number } | undefined {
  let value = "";
  let start = from;
  for (let at = from; ; ) {
    const close = text.indexOf(quote, at);
    const escaped = escapeCharacter === "" ? -1 : text.indexOf(escapeCharacter, at);
    const isEscape = escaped >= 0 && (close < 0 || escaped <= close);
    if (!isEscape)
      return close < 0 ? undefined : { value: value + text.slice(start, close), next: close + 1 };
    const next = text[escaped + 1];
    if (next === undefined) return undefined;
    if (next === quote || next === escapeCharacter) {
      value += text.slice(start, escaped) + next;
      start = escaped + 2;
      at = start;
    } else if (escaped === close) return { value: value + text.slice(start, close), next: close + 1 };
    else at = escaped + 1;
  }
}
