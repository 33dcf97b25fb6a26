import {
  loadSqlParser,
  recognizeNames,
  type SqlParser,
  type SqlToken,
  statementDiagnostic,
  stringValue,
  tokenize,
  utf16Offsets,
} from "@lakehelm/sql";
import { Dialect, transpile } from "@polyglot-sql/sdk";
import { nameForDuckDb, orderAllMarker, timestampMarker, tryMarker } from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";

/**
 * Translates one statement from the Databricks dialect to DuckDB's. The library accepts more than Databricks does and
 * silently drops what it does not understand, so every word of the text is checked first.
 */
export async function translate(text: string): Promise<string> {
  const library = await loadSqlParser();
  const diagnostic = statementDiagnostic(library, text);
  if (diagnostic) throw problemAt(text, diagnostic.at, diagnostic.message);
  const {
    success,
    sql = [],
    error,
  } = transpile(prepareForLibrary(library, withoutComments(text)), Dialect.Databricks, Dialect.DuckDB);
  if (!success || sql?.length !== 1) {
    throw problemAt(
      text,
      undefined,
      `this statement cannot be translated to DuckDB SQL (${error ?? "no statement"}).`,
    );
  }
  return sql[0] ?? "";
}

/** Blanks replace comments: the library keeps them, and DuckDB reads them slowly. Hints are tokens. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of tokenize(text).tokens) {
    kept.push(text.slice(from, start).replace(/[^\n]/g, " "), text.slice(start, end));
    from = end;
  }
  return kept.join("");
}

/** Words that DuckDB reserves. They must be quoted when they are used as names. */
const reserved: ReadonlySet<string> = new Set(
  (
    "all analyse analyze and anti any array as asc asof asymmetric at authorization between binary both by case cast " +
    "check collate collation column columns concurrently constraint create cross default deferrable desc describe " +
    "distinct do else end except exists extract false fetch for foreign freeze from full generated glob group " +
    "grouping having ilike in initially inner intersect interval into is isnull join lambda lateral leading left " +
    "like limit map natural not notnull null offset on only or order outer overlaps overlay pivot pivot_longer " +
    "pivot_wider placing position positional primary qualify references returning right row select semi show " +
    "similar some struct substring summarize symmetric table tablesample then to trailing trim true try_cast union " +
    "unique unpack unpivot using values variadic verbose when where window with"
  ).split(" "),
);

/** Functions that take a unit first, which the library supports, and return a timestamp, also for a date. */
const timeAdding: ReadonlySet<string> = new Set(["dateadd", "date_add", "timestampadd"]);

/**
 * The text with three changes: functions that the library translates incorrectly are renamed, reserved names are quoted,
 * and strings contain only escapes that the library supports.
 */
function prepareForLibrary(library: SqlParser, text: string): string {
  const { tokens } = tokenize(text);
  const [statement] = library.parse(text).statements ?? [];
  const { identifiers } = recognizeNames(statement ?? {}, tokens, utf16Offsets(text));
  const changes = tokens.flatMap(({ kind, text: written, value, start, end }, index) => {
    if (kind === "string") return [{ start, end, replacement: plainString(written) }];
    if (kind !== "word") return [];
    if (value === "all" && isOrdered(tokens, index)) return [{ start, end, replacement: orderAllMarker }];
    if (identifiers.has(index))
      return reserved.has(value) ? [{ start, end, replacement: `\`${value}\`` }] : [];
    if (tokens[index + 1]?.text !== "(" || isClause(tokens, index)) return [];
    const call = callAt(tokens, index + 1);
    if (value === "try_cast") {
      return [
        { start, end, replacement: `${tryMarker}(cast` },
        { start: call.end, end: call.end, replacement: ")" },
      ];
    }
    if (timeAdding.has(value) && call.argumentCount === 3) {
      return [
        { start, end, replacement: `${timestampMarker}(${value}` },
        { start: call.end, end: call.end, replacement: ")" },
      ];
    }
    const replacement = nameForDuckDb(value, call.argumentCount);
    return replacement === value ? [] : [{ start, end, replacement }];
  });
  let written = text;
  for (const { start, end, replacement } of changes.toSorted((left, right) => right.start - left.start)) {
    written = written.slice(0, start) + replacement + written.slice(end);
  }
  return written;
}

/** ORDER BY ALL without any other expression. */
const isOrdered = (tokens: readonly SqlToken[], index: number): boolean =>
  tokens[index - 1]?.value === "by" &&
  tokens[index - 2]?.value === "order" &&
  ![",", ".", "("].includes(tokens[index + 1]?.text ?? "");

/** Whether it is the FILTER (WHERE …) of an aggregate, and not a function. */
const isClause = (tokens: readonly SqlToken[], index: number): boolean =>
  tokens[index]?.value === "filter" && tokens[index - 1]?.text === ")";

function plainString(literal: string): string {
  const value = literal.includes("\\") ? stringValue(literal) : undefined;
  return value === undefined ? literal : `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}

/** The number of arguments in the parentheses that open at a token, and the offset where they close. */
function callAt(
  tokens: readonly SqlToken[],
  open: number,
): { readonly argumentCount: number; readonly end: number } {
  let depth = 0;
  let commas = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { text, end } = tokens[index] as SqlToken;
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (text === "," && depth === 1) commas += 1;
    if (depth === 0) return { argumentCount: index === open + 1 ? 0 : commas + 1, end };
  }
  return { argumentCount: 0, end: tokens.at(-1)?.end ?? 0 };
}
