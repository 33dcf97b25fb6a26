import { DataProblem } from "../../../protocol/problem.ts";
import { openDecompressed } from "./record-texts.ts";
import type { CsvDialect } from "./settings.ts";

/** What the first record of a CSV file says about all of them. */
export interface CsvHeader {
  readonly names: readonly string[];
  readonly newLine: "\n" | "\r\n" | "\r";
}

const longest = 2 ** 20;
const decoders = { "utf-8": "utf-8", "latin-1": "latin1", "utf-16": "utf-16le" } as const;

/** Undefined: the file is empty. */
export async function readHeader(path: string, dialect: CsvDialect): Promise<CsvHeader | undefined> {
  const decoder = new TextDecoder(decoders[dialect.encoding]);
  let text = "";
  for await (const bytes of openDecompressed(path)) {
    text += decoder.decode(bytes, { stream: true });
    const found = firstRecord(withoutComments(text, dialect.comment), dialect);
    if (found) return headerOf(found, dialect);
    if (text.length > longest)
      throw new DataProblem(`${path}: its first line does not end within a megabyte.`);
  }
  // A last line need not end, and a header may be all there is.
  const only = withoutComments(text, dialect.comment);
  if (only.trim() === "") return undefined;
  const found = firstRecord(`${only}\n\n`, dialect);
  if (!found) throw new DataProblem(`${path}: a quote in its first line has no end.`);
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

/** Undefined: it does not end within this text. */
function firstRecord(text: string, { delimiter, quote, escape: mark }: CsvDialect): FirstRecord | undefined {
  const values: string[] = [];
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (quoted) {
      if (mark !== "" && letter === mark && (text[at + 1] === quote || text[at + 1] === mark))
        value += text[++at];
      else if (letter === quote) quoted = false;
      else value += letter;
    } else if (quote !== "" && letter === quote && value === "") quoted = true;
    else if (text.startsWith(delimiter, at)) {
      values.push(value);
      value = "";
      at += delimiter.length - 1;
    } else if (letter === "\n" || letter === "\r") {
      if (at + 1 === text.length && letter === "\r") return undefined;
      const newLine = letter === "\n" ? "\n" : text[at + 1] === "\n" ? "\r\n" : "\r";
      return { values: [...values, value], newLine };
    } else value += letter;
  }
  return undefined;
}

/** Names that a table can have side by side: one that is missing, or there already, gets its number. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((written, at) => {
    let name = written.trim() || `_c${at}`;
    if (taken.has(name.toLowerCase())) name = `${name}_${at}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
