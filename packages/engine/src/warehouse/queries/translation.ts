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
import { duckdbDialect } from "./duckdb-dialect.ts";
import { callRefusal } from "./refused-functions.ts";
import {
  nameForDuckDb,
  orderAllMarker,
  plainMarker,
  prefix,
  rowsMarker,
  timestampMarker,
  tryMarker,
} from "./spark-functions.ts";
import { problemAt } from "./sql-text.ts";

/**
 * Translates one statement from the Databricks dialect to DuckDB's. The library accepts more than Databricks does and
 * silently drops what it does not understand, so every word of the text is checked first.
 */
export async function translate(text: string): Promise<string> {
  const library = await loadSqlParser();
  const diagnostic = statementDiagnostic(library, text);
  if (diagnostic) throw problemAt(text, diagnostic.at, diagnostic.message);
  const translated = duckdbDialect(prepareForLibrary(library, withoutComments(text)));
  if ("error" in translated)
    throw problemAt(
      text,
      undefined,
      `this statement cannot be translated to DuckDB SQL (${translated.error}).`,
    );
  return translated.sql;
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

/** `DATE '2026-01-31'` and the like. */
const literalTypes: ReadonlyMap<string, string> = new Map([
  ["date", "DATE"],
  ["timestamp", "TIMESTAMPTZ"],
  ["timestamp_ntz", "TIMESTAMP_NTZ"],
]);

/** The types of `128Y` and the like, and the smallest number of each without its sign. */
const integerSuffixes: ReadonlyMap<string, readonly [type: string, smallest: bigint]> = new Map([
  ["y", ["TINYINT", 2n ** 7n]],
  ["s", ["SMALLINT", 2n ** 15n]],
  ["l", ["BIGINT", 2n ** 63n]],
]);

/** Functions without parentheses for which DuckDB would return its own values. */
const ofSession: ReadonlySet<string> = new Set(["current_time", "current_user", "session_user"]);

/** `LEFT SEMI JOIN` and `LEFT ANTI JOIN`. */
const joinKinds: ReadonlySet<string> = new Set(["semi", "anti"]);

/** Functions that take a unit first, which the library supports, and return a timestamp, also for a date. */
const timeAdding: ReadonlySet<string> = new Set(["dateadd", "date_add", "timestampadd"]);

/**
 * The text as the library needs it: functions that it translates incorrectly are renamed, reserved names are quoted, strings contain
 * only escapes that it supports, and the WITH of a subquery stays there.
 */
function prepareForLibrary(library: SqlParser, text: string): string {
  const { tokens } = tokenize(text);
  const [statement] = library.parse(text).statements ?? [];
  const { identifiers } = recognizeNames(statement ?? {}, tokens, utf16Offsets(text));
  const changes = tokens.flatMap<TextChange>(({ kind, text: written, value, start, end }, index) => {
    if (kind === "string") {
      const binary = /^x(['"])(.*)\1$/is.exec(written);
      if (binary) return [{ start, end, replacement: binaryLiteral(text, start, binary[2] ?? "") }];
      // The library loses the type of a literal inside a cast, and takes TIMESTAMP for TIMESTAMP_NTZ.
      const type = literalTypes.get(tokens[index - 1]?.value ?? "");
      if (type !== undefined) return [{ start, end, replacement: `${plainString(written)} AS ${type})` }];
      // A lambda that is a text must not look like a path into JSON.
      const isLambda = tokens[index - 1]?.text === "->";
      const plain = plainString(written);
      return [{ start, end, replacement: isLambda ? `${plainMarker}(${plain})` : plain }];
    }
    const suffix = kind === "number" ? /^(\d+)([ysl])$/.exec(value) : null;
    if (suffix) return integerLiteral(text, tokens, index, suffix, identifiers);
    // The library rounds 2.5555BD to three decimals.
    if (kind === "number" && /\.\d*bd$/i.test(written))
      return [{ start, end, replacement: written.slice(0, -2) }];
    if (kind !== "word") return [];
    if (value === "all" && isOrdered(tokens, index)) return [{ start, end, replacement: orderAllMarker }];
    if (literalTypes.has(value) && tokens[index + 1]?.kind === "string")
      return [{ start, end, replacement: "CAST(" }];
    // DuckDB has these joins without LEFT.
    if (value === "left" && joinKinds.has(tokens[index + 1]?.value ?? ""))
      return [{ start, end, replacement: "" }];
    if (value === "with" && tokens[index - 1]?.text === "(") return innerWith(tokens, index);
    if (identifiers.has(index))
      return reserved.has(value) ? [{ start, end, replacement: `\`${value}\`` }] : [];
    if (tokens[index + 1]?.text !== "(" || isClause(tokens, index)) {
      if (ofSession.has(value)) throw problemAt(text, start, callRefusal(value, 0) ?? "");
      return [];
    }
    const call = callAt(tokens, index + 1);
    const refusal = isType(tokens, index) ? undefined : callRefusal(value, call.argumentCount);
    if (refusal !== undefined) throw problemAt(text, start, refusal);
    if (value === "struct") return structChanges(tokens, index, call);
    const rows = rowChanges(tokens, index, call) ?? viewChanges(tokens, index, call);
    if (rows) return rows;
    if (value === "try_cast") {
      return [
        { start, end, replacement: `${tryMarker}(cast` },
        { start: call.end, end: call.end, replacement: ")" },
      ];
    }
    if (timeAdding.has(value) && call.argumentCount === 3) {
      const [, number] = call.arguments;
      const [from, to] = [tokens[number?.first ?? 0]?.start ?? 0, tokens[number?.last ?? 0]?.end ?? 0];
      return [
        { start, end, replacement: `${timestampMarker}(${value}` },
        // INTERVAL (days) DAY: without parentheses, DuckDB reads only a number there.
        { start: from, end: from, replacement: "(" },
        { start: to, end: to, replacement: ")" },
        { start: call.end, end: call.end, replacement: ")" },
      ];
    }
    // A type has numbers in its parentheses.
    if (value === "decimal" && call.argumentCount === 1 && tokens[index + 2]?.kind !== "number") {
      const close = call.end - 1;
      return [
        { start, end, replacement: "CAST" },
        { start: close, end: close, replacement: " AS DECIMAL(10, 0)" },
      ];
    }
    const replacement = nameForDuckDb(value, call.argumentCount);
    return replacement === value ? [] : [{ start, end, replacement }];
  });
  return withChanges(text, changes);
}

/**
 * The library moves the WITH of a subquery to the beginning of the statement, where its names hide tables of other
 * parts. It does not move a WITH out of further parentheses, so these are added; LATERAL also needs another SELECT. IN
 * would take these parentheses for a list, so it stays unchanged.
 */
function innerWith(tokens: readonly SqlToken[], index: number): TextChange[] {
  const before = tokens[index - 2]?.value ?? "";
  if (["in", "exists"].includes(before)) return [];
  const { start } = tokens[index] as SqlToken;
  const { end } = callAt(tokens, index - 1);
  const [open, close] = before === "lateral" ? ["SELECT * FROM ((", "))"] : ["(", ")"];
  return [
    { start, end: start, replacement: open },
    { start: end, end, replacement: close },
  ];
}

/** X'61': the library leaves it as it is in VALUES, where DuckDB takes it for a text. */
function binaryLiteral(text: string, at: number, digits: string): string {
  if (!/^[0-9a-f]*$/i.test(digits))
    throw problemAt(text, at, `X'${digits}' is no binary value: write pairs of hexadecimal digits.`);
  return `${nameForDuckDb("unhex", 1)}('${digits}')`;
}

/** An integer with the suffix of its type. -128Y is one literal: 128Y would be too large. */
function integerLiteral(
  text: string,
  tokens: readonly SqlToken[],
  index: number,
  [written, digits = "", suffix = ""]: RegExpExecArray,
  identifiers: ReadonlySet<number>,
): TextChange[] {
  const [type, smallest] = integerSuffixes.get(suffix) ?? ["BIGINT", 0n];
  const { start, end } = tokens[index] as SqlToken;
  const [before, minus] = [tokens[index - 2], tokens[index - 1]];
  const isOperand =
    before !== undefined &&
    (identifiers.has(index - 2) ||
      ["number", "string", "quoted"].includes(before.kind) ||
      [")", "]"].includes(before.text));
  const isNegative = minus?.text === "-" && !isOperand;
  const number = BigInt(digits);
  if (number > smallest || (number === smallest && !isNegative))
    throw problemAt(
      text,
      start,
      `INVALID_NUMERIC_LITERAL_RANGE: ${written.toUpperCase()} is not in the range of ${type}.`,
    );
  if (number < smallest) return [];
  return [{ start: minus?.start ?? start, end, replacement: `CAST(-${digits} AS ${type})` }];
}

/** A change inside a removed part is dropped. An insertion comes before a replacement at the same place. */
function withChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of changes.toSorted(
    (left, right) => left.start - right.start || left.end - right.end,
  )) {
    if (start < from) continue;
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

/** ORDER BY ALL without any other expression. */
const isOrdered = (tokens: readonly SqlToken[], index: number): boolean =>
  tokens[index - 1]?.value === "by" &&
  tokens[index - 2]?.value === "order" &&
  ![",", ".", "("].includes(tokens[index + 1]?.text ?? "");

/** Whether it is the FILTER (WHERE …) of an aggregate or LIKE ANY (…), and not a function. */
const isClause = (tokens: readonly SqlToken[], index: number): boolean => {
  const [value, before] = [tokens[index]?.value ?? "", tokens[index - 1]];
  if (value === "filter") return before?.text === ")";
  return (value === "any" || value === "some") && /^i?like$/.test(before?.value ?? "");
};

/** Whether a word with parentheses is the type of a cast or of a field: `AS TIME(3)`. */
const isType = (tokens: readonly SqlToken[], index: number): boolean =>
  /^(?:as|::|:|<)$/.test(tokens[index - 1]?.value ?? "");

function plainString(literal: string): string {
  const value = literal.includes("\\") ? stringValue(literal) : undefined;
  return value === undefined ? literal : `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}

interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** `struct(id, 1 AS one, 2)` becomes `named_struct('id', id, 'one', 1, 'col3', 2)`: the library loses the names. */
function structChanges(tokens: readonly SqlToken[], index: number, call: Call): TextChange[] {
  const { start, end } = tokens[index] as SqlToken;
  const changes: TextChange[] = [{ start, end, replacement: nameForDuckDb("named_struct", 2) }];
  for (const [position, { first, last }] of call.arguments.entries()) {
    const [named, before] = [tokens[last], tokens[last - 1]];
    const hasAlias = before?.value === "as" && named !== undefined;
    const isName = named?.kind === "word" || named?.kind === "quoted";
    const isPath = isName && (first === last || before?.text === ".");
    const name = hasAlias || isPath ? (named?.value ?? "") : `col${position + 1}`;
    const from = tokens[first]?.start ?? 0;
    changes.push({ start: from, end: from, replacement: `'${name.replaceAll(/[\\']/g, "\\$&")}', ` });
    if (hasAlias) changes.push({ start: before.start, end: named.end, replacement: "" });
  }
  return changes;
}

/** Functions of the select list that give several rows, and columns with names: `stack(…) AS (a, b)`. */
function rowChanges(tokens: readonly SqlToken[], index: number, call: Call): TextChange[] | undefined {
  const { value, start, end } = tokens[index] as SqlToken;
  const isRelation =
    ["view", "outer", "lateral", "from", ",", "join"].includes(tokens[index - 1]?.value ?? "") &&
    isInFrom(tokens, index);
  const close = (call.arguments.at(-1)?.last ?? index + 1) + 1;
  const names: string[] = [];
  let last = close;
  if (tokens[close + 1]?.value === "as" && tokens[close + 2]?.text === "(") {
    for (last = close + 3; last < tokens.length && tokens[last]?.text !== ")"; last += 1)
      if (tokens[last]?.text !== ",") names.push(tokens[last]?.value ?? "");
  }
  const isStack = value === "stack";
  if (isRelation || !(isStack || value === "inline" || (value === "explode" && names.length === 2)))
    return undefined;
  if (value === "inline" && names.length > 0) return undefined;
  const list = JSON.stringify(names).replaceAll(/[\\']/g, "\\$&");
  const from = tokens[index + 1]?.end ?? end;
  return [
    { start, end, replacement: `${rowsMarker}_${value}` },
    { start: from, end: from, replacement: `'${list}', ` },
    ...(names.length > 0
      ? [{ start: tokens[close]?.end ?? 0, end: tokens[last]?.end ?? 0, replacement: "" }]
      : []),
  ];
}

/**
 * `LATERAL VIEW stack(…)` and `LATERAL VIEW explode(map) t AS key, value` become `LATERAL VIEW inline(…)`, which the library
 * supports: a list of structs. Not with OUTER, where the list gets an element instead if it is empty.
 */
function viewChanges(tokens: readonly SqlToken[], index: number, call: Call): TextChange[] | undefined {
  const { value, start, end } = tokens[index] as SqlToken;
  const before = tokens[index - 1];
  if (!before || !["view", "outer"].includes(before.value)) return undefined;
  const isOuter = before.value === "outer";
  const [first] = call.arguments;
  if (!first) return undefined;
  const isMap = value === "explode" && isPair(tokens, first.last + 2);
  const list = isMap ? listChanges(tokens, first, call, "map_entries") : stackChanges(tokens, value, call);
  if (!list && !(isOuter && value === "inline")) return undefined;
  return [
    ...(isOuter ? [{ start: before.start, end: before.end, replacement: "" }] : []),
    { start, end, replacement: "inline" },
    ...(isOuter ? listChanges(tokens, first, call, `${prefix}never_empty`) : []),
    ...(list ?? []),
  ];
}

/** The arguments of a call become those of a function inside of it. */
function listChanges(
  tokens: readonly SqlToken[],
  first: Call["arguments"][number],
  { end }: Call,
  name: string,
): TextChange[] {
  const from = tokens[first.first]?.start ?? 0;
  return [
    { start: from, end: from, replacement: `${name}(` },
    { start: end - 1, end: end - 1, replacement: ")" },
  ];
}

/** `2, 'a', x, 'b', y` becomes `array(named_struct('col0', 'a', 'col1', x), named_struct(…))`. */
function stackChanges(tokens: readonly SqlToken[], value: string, call: Call): TextChange[] | undefined {
  const [first, ...values] = call.arguments;
  const count = first && first.first === first.last ? Number(tokens[first.first]?.text) : Number.NaN;
  const width = values.length / count;
  if (value !== "stack" || !first || !Number.isInteger(width) || width < 1) return undefined;
  const struct = nameForDuckDb("named_struct", 2);
  const rows = values.flatMap(({ first: from, last }, at): TextChange[] => {
    const place = at % width;
    const [open, close] = [tokens[from]?.start ?? 0, tokens[last]?.end ?? 0];
    return [
      { start: open, end: open, replacement: `${place === 0 ? `${struct}(` : ""}'col${place}', ` },
      ...(place === width - 1 ? [{ start: close, end: close, replacement: ")" }] : []),
    ];
  });
  const [from, to] = [tokens[first.first]?.start ?? 0, tokens[values[0]?.first ?? 0]?.start ?? 0];
  return [
    { start: from, end: to, replacement: `${nameForDuckDb("array", 1)}(` },
    ...rows,
    { start: call.end - 1, end: call.end - 1, replacement: ")" },
  ];
}

/** Whether two names follow: `t AS key, value`, without or with the name of the view. */
function isPair(tokens: readonly SqlToken[], from: number): boolean {
  const as = tokens[from]?.value === "as" ? from : tokens[from + 1]?.value === "as" ? from + 1 : -1;
  return as >= 0 && tokens[as + 2]?.text === "," && tokens[as + 4]?.text !== ",";
}

/** Whether a call after a comma is in FROM: `FROM a, LATERAL explode(…)`. A comma before a call is usually in a select list. */
const isInFrom = (tokens: readonly SqlToken[], index: number): boolean => tokens[index - 1]?.text !== ",";

interface Call {
  readonly argumentCount: number;
  /** The first and the last token of each argument. */
  readonly arguments: readonly { readonly first: number; readonly last: number }[];
  /** The offset where the parentheses close. */
  readonly end: number;
}

/** The arguments in the parentheses that open at a token. */
function callAt(tokens: readonly SqlToken[], open: number): Call {
  let depth = 0;
  let first = open + 1;
  const found: { first: number; last: number }[] = [];
  for (let index = open; index < tokens.length; index += 1) {
    const { text, end } = tokens[index] as SqlToken;
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if ((text === "," && depth === 1) || depth === 0) {
      if (index > open + 1) found.push({ first, last: index - 1 });
      first = index + 1;
    }
    if (depth === 0) return { argumentCount: found.length, arguments: found, end };
  }
  return { argumentCount: 0, arguments: [], end: tokens.at(-1)?.end ?? 0 };
}
