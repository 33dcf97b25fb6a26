import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { SqlToken } from "../../lexer/token.ts";
import { plainName } from "../../names/table-name.ts";
import { queryWords } from "../../vocabulary/keywords.ts";
import type { QueryDraft } from "../drafts.ts";
import { qualifiedName, type SourceStatement, tableOf } from "./statement.ts";

const ingestFunctions =
  /^(?:read_files|cloud_files|read_kafka|read_kinesis|read_pubsub|read_pulsar|read_statestore)$/;

/** The query at the end of a statement. */
export const queryOf = (cursor: TokenCursor, statement: SourceStatement): QueryDraft =>
  draftOf(cursor.until("a query"), statement);

/** The query of these tokens, without STREAM and LIVE. */
export function draftOf(words: readonly SqlToken[], statement: SourceStatement): QueryDraft {
  const { readable: text, defaults: within, pipelineDefaults: home } = statement;
  const at = words[0]?.start ?? 0;
  const end = words.at(-1)?.end ?? at;
  const streams: { readonly name: string; readonly at: number }[] = [];
  const wholes: string[] = [];
  const gone: SqlToken[] = [];
  const tables = tablePositions(words);
  const ctes = cteNames(words);
  for (const [index, token] of words.entries()) {
    if (isCall(words, index) && ingestFunctions.test(token.value))
      throw new UnexpectedToken(
        token.start,
        `${token.value}() is not supported here: ingest files and messages with a connector.`,
      );
    const missing = unsupported(words, index);
    if (missing !== undefined) throw new UnexpectedToken(token.start, missing);
    if (home && isLive(words, index)) {
      gone.push(token, ...words.slice(index + 1, index + 2));
      if (within.catalog !== home.catalog || within.schema !== home.schema)
        throw new UnexpectedToken(
          token.start,
          "LIVE is ambiguous after USE: write the full name of the table.",
        );
    }
    if (!tables.has(index)) continue;
    const stream = token.kind === "word" && token.value === "stream" ? streamAt(words, index) : undefined;
    if (stream) {
      gone.push(token, ...stream.brackets);
      streams.push({ name: plainName(tableOf(stream.parts, stream.at, statement)), at: stream.at });
    } else {
      const { parts } = nameAt(words, index);
      const isCte = parts.length === 1 && ctes.has(token.value.toLowerCase());
      if (!isCte) wholes.push(plainName(qualifiedName(parts, statement)));
    }
  }
  return { at, sql: blanked(text, at, end, gone), streams, batchReads: wholes };
}

/** Why a feature of Databricks is not supported here. */
function unsupported(words: readonly SqlToken[], index: number): string | undefined {
  const { kind, value } = words[index] ?? {};
  if (kind !== "word") return undefined;
  if (value === "struct" && isCall(words, index))
    return "struct() is not supported here: write named_struct('name', value).";
  const isWatermark =
    value === "watermark" &&
    words.slice(index).some((word, at) => word.value === "delay" && words[index + at + 1]?.value === "of");
  return isWatermark
    ? "WATERMARK is not supported here: remove it. Late rows are always processed."
    : undefined;
}

const isCall = (words: readonly SqlToken[], index: number): boolean =>
  words[index]?.kind === "word" && words[index + 1]?.text === "(";

/** `LIVE.t` refers to a dataset of the pipeline. */
const isLive = (words: readonly SqlToken[], index: number): boolean =>
  words[index]?.value === "live" &&
  words[index]?.kind === "word" &&
  words[index + 1]?.text === "." &&
  words[index - 1]?.text !== ".";

/** The names that `AS (` follows, which are CTEs. */
const cteNames = (words: readonly SqlToken[]): ReadonlySet<string> =>
  new Set(
    words
      .filter((_, index) => words[index + 1]?.value === "as" && words[index + 2]?.text === "(")
      .map(({ value }) => value.toLowerCase()),
  );

/** These words precede tables. After the words in `clauses`, a comma does not separate tables. */
const beforeTables = new Set(["from", "join"]);
const clauses = new Set(
  "select where group having qualify window order sort cluster distribute limit on using".split(" "),
);

/** The indexes of tokens that are tables in FROM. */
export function tablePositions(words: readonly SqlToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  const inFrom: boolean[] = [false];
  for (const [index, { kind, text, value }] of words.entries()) {
    const level = inFrom.length - 1;
    if (kind === "mark" && text === "(") inFrom.push(false);
    else if (kind === "mark" && text === ")" && level > 0) inFrom.pop();
    else if (kind === "word" && beforeTables.has(value)) {
      inFrom[level] = true;
      found.add(index + 1);
    } else if (kind === "word" && clauses.has(value)) inFrom[level] = false;
    else if (kind === "mark" && text === "," && inFrom[level]) found.add(index + 1);
  }
  return found;
}

interface StreamAt {
  readonly parts: readonly string[];
  readonly at: number;
  readonly brackets: readonly SqlToken[];
}

/** The table after STREAM, with or without parentheses; undefined if `stream` itself is a name. */
function streamAt(words: readonly SqlToken[], index: number): StreamAt | undefined {
  const open = words[index + 1];
  const isInside = open?.text === "(";
  const from = index + (isInside ? 2 : 1);
  const first = words[from];
  if (!first || (first.kind === "word" && queryWords.has(first.value))) return undefined;
  const { parts, next } = nameAt(words, from);
  const close = words[next];
  const isWhole = isInside ? close?.text === ")" : close?.text !== "(";
  if (parts.length === 0 || !isWhole) return undefined;
  return { parts, at: first.start, brackets: isInside && open && close ? [open, close] : [] };
}

/** The name at an index, and the index after it. */
function nameAt(
  words: readonly SqlToken[],
  index: number,
): { readonly parts: readonly string[]; readonly next: number } {
  const parts: string[] = [];
  for (let next = index; ; next += 2) {
    const token = words[next];
    if (token?.kind !== "word" && token?.kind !== "quoted") return { parts: [], next };
    parts.push(token.value);
    if (words[next + 1]?.text !== ".") return { parts, next: next + 1 };
  }
}

/** A part of a text in which blanks replace some tokens. */
function blanked(text: string, from: number, to: number, gone: readonly SqlToken[]): string {
  const parts: string[] = [];
  let done = from;
  for (const { start, end } of gone.toSorted((left, right) => left.start - right.start)) {
    parts.push(text.slice(done, start), " ".repeat(end - start));
    done = end;
  }
  return [...parts, text.slice(done, to)].join("");
}
