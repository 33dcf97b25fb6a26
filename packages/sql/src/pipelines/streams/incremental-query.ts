import { tokenize } from "../../lexer/lexer.ts";
import type { Diagnostic, SqlToken } from "../../lexer/token.ts";
import { recognizeNames } from "../../parser/recognized-names.ts";
import type { SqlParser } from "../../parser/sql-parser.ts";
import { utf16Offsets } from "../../source-location.ts";
import { isAggregate } from "../../vocabulary/aggregates.ts";
import { tablePositions } from "../statements/query.ts";
import { nonStreamJoins } from "./stream-joins.ts";

const instead = "use a materialized view without STREAM";
const whole = (what: string): string =>
  `${what} needs all rows, but a stream has only the new rows of each update: ${instead}.`;

/** A query, by its first token and the end of its last token. `inner` are its subqueries. */
interface QueryRegion {
  readonly from: number;
  readonly to: number;
  readonly inner: QueryRegion[];
}

/** The first part of a query whose result depends on how the stream is split into updates. */
export function incrementalProblem(parser: SqlParser, text: string, stream: number): Diagnostic | undefined {
  const { tokens } = tokenize(text);
  const [statement] = parser.parse(text).statements ?? [];
  if (!statement) return undefined;
  const { identifiers: named } = recognizeNames(statement, tokens, utf16Offsets(text));
  const at = tokens.findIndex(({ start }) => start === stream);
  const context: StreamQuery = { tokens, named, tables: tablePositions(tokens), at, found: [] };
  carriersIn(regionOf(tokens, 0, tokens.length), new Set(), context);
  return context.found.toSorted((one, other) => one.at - other.at)[0];
}

interface StreamQuery {
  readonly tokens: readonly SqlToken[];
  /** Tokens that are names, even if they look like keywords. */
  readonly named: ReadonlySet<number>;
  /** Tokens that are tables in FROM. */
  readonly tables: ReadonlySet<number>;
  /** The token of the stream. */
  readonly at: number;
  readonly found: Diagnostic[];
}

const opensQuery = new Set(["select", "with", "values"]);

/** The query between two tokens, with its subqueries in brackets. */
function regionOf(tokens: readonly SqlToken[], from: number, to: number): QueryRegion {
  const inner: QueryRegion[] = [];
  for (let index = from; index < to; index += 1) {
    if (tokens[index]?.text !== "(" || !isQuery(tokens, index)) continue;
    const end = closing(tokens, index);
    inner.push(regionOf(tokens, index + 1, end));
    index = end;
  }
  return { from, to, inner };
}

function isQuery(tokens: readonly SqlToken[], open: number): boolean {
  let index = open;
  while (tokens[index]?.text === "(") index += 1;
  const first = tokens[index];
  return first?.kind === "word" && opensQuery.has(first.value);
}

function closing(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    if (tokens[index]?.text === "(") depth += 1;
    if (tokens[index]?.text === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}

/**
 * The tokens at which a query reads rows of the stream. Also reports its problems. `ctes` are the CTEs that read the
 * stream.
 */
function carriersIn(region: QueryRegion, ctes: ReadonlySet<string>, context: StreamQuery): readonly number[] {
  const { tokens, named, tables, at } = context;
  const visible = new Set(ctes);
  const carriers: number[] = [];
  let next = region.from;
  const own: number[] = [];
  const look = (to: number): void => {
    for (; next < to; next += 1) {
      own.push(next);
      const token = tokens[next];
      const isCte =
        tables.has(next) && visible.has(token?.value.toLowerCase() ?? "") && tokens[next + 1]?.text !== ".";
      if (next === at || isCte) carriers.push(next);
    }
  };
  for (const inner of region.inner) {
    look(inner.from - 1);
    const isCarrier = carriersIn(inner, visible, context).length > 0;
    own.push(inner.from - 1);
    next = inner.to;
    if (!isCarrier) continue;
    const role = roleOf(inner.from - 1, region, context);
    if (role.kind === "cte") visible.add(role.name);
    else carriers.push(inner.from - 1);
    if (role.kind === "value")
      context.found.push({
        at: tokens[at]?.start ?? 0,
        message: `a stream is allowed only in FROM: ${instead}.`,
      });
  }
  look(region.to);
  if (carriers.length === 0) return carriers;
  const words = own.filter((index) => !named.has(index));
  for (const index of words) {
    const message = tokenProblem(tokens, index);
    if (message !== undefined) context.found.push({ at: tokens[index]?.start ?? 0, message });
  }
  const [first, second] = carriers;
  if (second !== undefined)
    context.found.push({
      at: tokens[second]?.start ?? 0,
      message: `the stream is read twice here, and only rows of the same update would match: ${instead}.`,
    });
  for (const index of nonStreamJoins(first ?? 0, words, tokens))
    context.found.push({
      at: tokens[index]?.start ?? 0,
      message: `this join would return rows of the other table again in every update: keep the rows of the stream, or ${instead}.`,
    });
  return carriers;
}

type SubqueryRole = { readonly kind: "cte"; readonly name: string } | { readonly kind: "rows" | "value" };

const setWords = new Set(["union", "except", "intersect", "minus", "all"]);

/** The role of a query in brackets within the surrounding query. */
function roleOf(open: number, { from }: QueryRegion, { tokens, tables }: StreamQuery): SubqueryRole {
  let outermost = open;
  while (tokens[outermost - 1]?.text === "(" && outermost > from) outermost -= 1;
  const [name, before] = [tokens[open - 2], tokens[open - 1]];
  if (tables.has(open) || tables.has(outermost) || open === from) return { kind: "rows" };
  if (before?.value === "as" && name) return { kind: "cte", name: nameBefore(tokens, open - 2) };
  const isSide = before?.text === ")" || (before?.kind === "word" && setWords.has(before.value));
  return { kind: isSide ? "rows" : "value" };
}

/** `name AS (` or `name (a, b) AS (` */
function nameBefore(tokens: readonly SqlToken[], last: number): string {
  let index = last;
  if (tokens[index]?.text === ")") {
    while (index > 0 && tokens[index]?.text !== "(") index -= 1;
    index -= 1;
  }
  return tokens[index]?.value.toLowerCase() ?? "";
}

const clauses: ReadonlyMap<string, string> = new Map(
  ["group", "order", "sort", "cluster", "distribute"].map((word) => [word, `${word.toUpperCase()} BY`]),
);
const bounds = new Set(["having", "qualify", "limit", "offset", "pivot", "tablesample"]);
const sets = new Set(["union", "except", "intersect", "minus"]);

/** Why a token is not allowed in a query over a stream. */
function tokenProblem(tokens: readonly SqlToken[], index: number): string | undefined {
  const { kind, value } = tokens[index] ?? {};
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (kind !== "word" || value === undefined || before?.text === ".") return undefined;
  const clause = clauses.get(value);
  if (clause !== undefined && after?.value === "by") return whole(clause);
  if (bounds.has(value)) return whole(value.toUpperCase());
  if (value === "distinct" && before?.value === "select") return whole("DISTINCT");
  if (value === "over") return whole("a window function");
  if (sets.has(value) && !(value === "except" && before?.text === "*"))
    return `${value.toUpperCase()} would add its other side again in every update: use a flow for each side, or ${instead}.`;
  return after?.text === "(" && isAggregate(tokens, index) ? whole(`${value}()`) : undefined;
}
