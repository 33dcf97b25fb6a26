import { DataProblem } from "../../../protocol/problem.ts";
import { openDecompressed } from "./record-texts.ts";
import type { CsvDialect } from "./settings.ts";

/** What the first record of a CSV file determines for all others. */
export interface CsvHeader {
  readonly names: readonly string[];
  readonly newLine: "\n" | "\r\n" | "\r";
}

const maxHeaderLength = 2 ** 20;
export const decoders = { "utf-8": "utf-8", "latin-1": "latin1", "utf-16": "utf-16le" } as const;

/** Undefined if the file is empty. */
export async function readHeader(path: string, dialect: CsvDialect): Promise<CsvHeader | undefined> {
  const decoder = new TextDecoder(decoders[dialect.encoding]);
  let text = "";
  for await (const bytes of openDecompressed(path)) {
    text += decoder.decode(bytes, { stream: true });
    const found = firstRecord(withoutComments(text, dialect.comment), dialect);
    if (found) return headerOf(found, dialect);
    if (text.length > maxHeaderLength) throw new DataProblem(`${path}: the first line is longer than 1 MB.`);
  }
  // The last line may have no line ending, and a file may consist of its header.
  const rest = withoutComments(text, dialect.comment);
  if (rest.trim() === "") return undefined;
  const found = firstRecord(`${rest}\n\n`, dialect);
  if (!found) throw new DataProblem(`${path}: the first line has an unclosed quote.`);
  return headerOf(found, dialect);
}

const headerOf = ({ values, newLine }: FirstRecord, { header }: CsvDialect): CsvHeader => ({
  names: header ? distinct(values) : values.map((_, at) => `_c${at}`),
  newLine,
});

function withoutComments(text: string, comment: string): string {
  let from = 0;
  while (comment !== "" && text.startsWith(comment, from)) from = text.indexOf("\n", from) + 1 || text.length;
  return text.slice(from);
}

interface FirstRecord {
  readonly values: readonly string[];
  readonly newLine: CsvHeader["newLine"];
}

/** Undefined if the first record does not end within this text. */
function firstRecord(
  text: string,
  { delimiter, quote, escape: escapeCharacter }: CsvDialect,
): FirstRecord | undefined {
  const values: string[] = [];
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quoted) {
      if (
        escapeCharacter !== "" &&
        character === escapeCharacter &&
        (text[at + 1] === quote || text[at + 1] === escapeCharacter)
      )
        value += text[++at];
      else if (character === quote) quoted = false;
      else value += character;
    } else if (quote !== "" && character === quote && value === "") quoted = true;
    else if (text.startsWith(delimiter, at)) {
      values.push(value);
      value = "";
      at += delimiter.length - 1;
    } else if (character === "\n" || character === "\r") {
      if (at + 1 === text.length && character === "\r") return undefined;
      const newLine = character === "\n" ? "\n" : text[at + 1] === "\n" ? "\r\n" : "\r";
      return { values: [...values, value], newLine };
    } else value += character;
  }
  return undefined;
}

/** Unique column names. A missing or duplicate name gets its index. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((field, at) => {
    let name = field.trim() || `_c${at}`;
    while (taken.has(name.toLowerCase())) name = `${name}_${at}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
