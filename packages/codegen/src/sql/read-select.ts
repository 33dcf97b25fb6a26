import { plainName, type TableName } from "../names.ts";
import { lonelyBracket } from "./brackets.ts";
import { tooMuch } from "./limits.ts";
import type { Sql } from "./load.ts";
import { parseProblem } from "./parse-problem.ts";
import { scan } from "./scan.ts";
import { itemStarts } from "./select/items.ts";
import { queryRows } from "./select/query.ts";
import type { Reading } from "./select/reading.ts";
import type { Rows } from "./select/rows.ts";
import type { ColumnSource } from "./select/sources.ts";
import { sloppy } from "./sloppy.ts";
import { expressionOf, nodesOf, type SyntaxNode } from "./syntax.ts";
import { type Problem, placesOf, type TextPlace, unitsOf } from "./text-place.ts";
import type { Remark, Token } from "./token.ts";
import { understood } from "./understood.ts";
import { unexplained } from "./unexplained.ts";

/** A table that a SELECT may read. */
export interface SourceTable {
  readonly name: TableName;
  /** Its columns, where they are known: then `*` can be used, and mistyped columns are found. */
  readonly columns?: readonly string[];
}

export interface SelectRules {
  readonly tables: readonly SourceTable[];
  /** What names of one or two parts are completed with. */
  readonly catalog: string;
  readonly schema: string;
  /** Which text this is, such as `matched_sql`: problems say it. */
  readonly place: string;
  /** Functions of one's own that may be called. */
  readonly functions?: readonly string[];
}

/** A column that a SELECT gives, where it stands, and the columns that it is made of. */
export interface OutputColumn extends TextPlace {
  readonly name: string;
  readonly sources: readonly ColumnSource[];
}

type SelectReading =
  /** Tables are named `catalog.schema.table` in lower case. */
  | {
      readonly columns: readonly OutputColumn[];
      readonly tables: readonly string[];
      readonly problems?: never;
    }
  | {
      readonly columns?: never;
      readonly tables?: never;
      readonly problems: readonly Problem[];
      /** What it would give all the same, where that is known. */
      readonly outputs: readonly OutputColumn[] | undefined;
    };

/** Reads the one SELECT that a caller sent: everything that is wrong with it, or what it gives and reads. */
export function readSelect(sql: Sql, text: string, rules: SelectRules): SelectReading {
  const { tokens, remarks } = scan(text);
  const found = new Map<string, Remark>();
  const complain = (at: number, message: string) => found.set(`${at} ${message}`, { at, message });
  for (const { at, message } of [...remarks, ...shape(tokens)]) complain(at, message);
  const read = found.size === 0 ? readTree(sql, text, tokens, rules, complain) : undefined;
  const placeOf = placesOf(text);
  const columns = read?.rows.columns.map(({ name, at, sources }) => ({ name, ...placeOf(at), sources }));
  if (read && columns && found.size === 0) return { columns, tables: [...read.tables] };
  const problems = [...found.values()]
    .toSorted((left, right) => left.at - right.at)
    .slice(0, 50)
    .map(({ at, message }) => ({ place: rules.place, ...placeOf(at), message }));
  const isWhole = read?.rows.rest.length === 0 && columns?.every(({ name }) => name !== "");
  return { problems, outputs: isWhole ? columns : undefined };
}

/** What can be said before the text is handed to the library. */
function shape(tokens: readonly Token[]): readonly Remark[] {
  const first = tokens.find(({ text }) => text !== "(");
  if (!first) return [{ at: 0, message: "the text is empty: expected a SELECT." }];
  const remarks: Remark[] = [];
  if (first.kind !== "word" || !["select", "with", "values"].includes(first.value))
    remarks.push({
      at: first.start,
      message: `expected SELECT, WITH or VALUES, found ${first.text.slice(0, 40)}: only a query can stand here.`,
    });
  const end = tokens.findIndex(({ text }) => text === ";");
  const more = end < 0 ? undefined : tokens.slice(end).find(({ text }) => text !== ";");
  if (more)
    remarks.push({
      at: more.start,
      message: "expected the end after the semicolon: only one statement can stand here.",
    });
  const limit = tooMuch(tokens) ?? lonelyBracket(tokens);
  if (limit) remarks.push(limit);
  return remarks;
}

function readTree(
  sql: Sql,
  text: string,
  tokens: readonly Token[],
  rules: SelectRules,
  complain: (at: number, message: string) => void,
): { readonly rows: Rows; readonly tables: ReadonlySet<string> } | undefined {
  const units = unitsOf(text);
  const parsed = sql.parse(text);
  if (parsed.error !== undefined) {
    const { at, message } = parseProblem(parsed, tokens, units);
    complain(at, message);
    return undefined;
  }
  const [statement] = parsed.statements;
  const start = tokens[0]?.start ?? 0;
  if (!statement || parsed.statements.length !== 1) {
    complain(start, "expected exactly one statement.");
    return undefined;
  }
  const names = understood(statement, tokens, units);
  const vocabulary = {
    words: new Set<string>(),
    functions: new Set(rules.functions?.map((name) => name.toLowerCase())),
  };
  for (const { at, message } of [
    ...names.remarks,
    ...unexplained(tokens, names, vocabulary),
    ...sloppy(tokens, names),
  ])
    complain(at, message);

  const reading: Reading = {
    complain,
    units,
    tokens,
    declared: new Map(rules.tables.map(({ name, columns }) => [plainName(name), columns])),
    catalog: rules.catalog,
    schema: rules.schema,
    tables: new Set(),
    seen: new Set(),
    outermost: firstColumn(statement),
    items: itemStarts(tokens, names.named),
    query: (node, surroundings) => queryRows(node, surroundings, reading),
  };
  const rows = queryRows(statement, { ctes: new Map(), outer: undefined }, reading);
  if (names.parts.some((part) => !reading.seen.has(part)))
    complain(start, "a part of this query is not understood: write it in a plainer way.");
  checkOutput(rows, complain);
  return { rows, tables: reading.tables };
}

/** The names of the result: each column has one, and no two the same. */
function checkOutput({ columns, rest }: Rows, complain: (at: number, message: string) => void): void {
  for (const { at, tables, refused } of rest) {
    if (refused) continue;
    const whose = tables.length > 0 ? ` of ${tables.join(", ")}` : "";
    complain(at, `the columns${whose} are not known here, so * cannot be checked: name the columns.`);
  }
  const given = new Set<string>();
  for (const { name, at } of columns) {
    if (name === "") complain(at, "this expression has no name: add AS and the name of a column.");
    else if (given.has(name.toLowerCase())) complain(at, `the column ${name} is given twice.`);
    given.add(name.toLowerCase());
  }
}

/** The first entry of the SELECT that gives a query its names. */
function firstColumn(statement: unknown): SyntaxNode | undefined {
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  if (kind === "select") return nodesOf(body.expressions)[0];
  return kind === "values" || kind === "" ? undefined : firstColumn(body.left ?? body.this);
}
