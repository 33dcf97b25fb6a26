import { lonelyBracket } from "./brackets.ts";
import { tooMuch } from "./limits.ts";
import type { Sql } from "./load.ts";
import { readStatement } from "./read-statement.ts";
import { scan } from "./scan.ts";
import { itemStarts } from "./select/items.ts";
import { queryRows } from "./select/query.ts";
import type { Reading } from "./select/reading.ts";
import type { Column, Rows } from "./select/rows.ts";
import { expressionOf, nodesOf, type SyntaxNode } from "./syntax.ts";
import type { Remark, Token } from "./token.ts";

export interface QueryRules extends Pick<Reading, "declared" | "unsure" | "absent" | "catalog" | "schema"> {
  /** Functions of one's own that may be called. */
  readonly functions?: readonly string[];
  /** Whether the columns that it gives become those of a table: then each has a name, and no two the same. */
  readonly isNamed: boolean;
}

/** What a query gives and reads, as far as it could be read, and all that is wrong with it, by offsets of the text. */
export interface QueryReading {
  readonly columns: readonly Column[] | undefined;
  /** Whether these are all columns; one without a name has an empty one. */
  readonly isWhole: boolean;
  /** Named `catalog.schema.table` in lower case. */
  readonly tables: readonly string[];
  readonly remarks: readonly Remark[];
}

/** Reads one query. */
export function readQuery(sql: Sql, text: string, rules: QueryRules): QueryReading {
  const { tokens, remarks } = scan(text);
  const found = new Map<string, Remark>();
  const complain = (at: number, message: string) => found.set(`${at} ${message}`, { at, message });
  for (const { at, message } of [...remarks, ...shape(tokens)]) complain(at, message);
  const read = found.size === 0 ? readTree(sql, text, tokens, rules, complain) : undefined;
  const columns = read?.rows.columns;
  return {
    columns,
    isWhole: read?.rows.rest.length === 0,
    tables: [...(read?.tables ?? [])],
    remarks: [...found.values()].toSorted((left, right) => left.at - right.at).slice(0, 50),
  };
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
  rules: QueryRules,
  complain: (at: number, message: string) => void,
): { readonly rows: Rows; readonly tables: ReadonlySet<string> } | undefined {
  const tree = readStatement(sql, text, tokens, { ...rules, words: new Set() }, complain);
  if (!tree) return undefined;
  const { statement, names } = tree;
  const reading: Reading = {
    ...tree.reading,
    outermost: firstColumn(statement),
    items: itemStarts(tokens, names.named),
    query: (node, surroundings) => queryRows(node, surroundings, reading),
  };
  const rows = queryRows(statement, { ctes: new Map(), outer: undefined }, reading);
  if (names.parts.some((part) => !reading.seen.has(part)))
    complain(tokens[0]?.start ?? 0, "a part of this query is not understood: write it in a plainer way.");
  if (rules.isNamed) checkOutput(rows, complain);
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
