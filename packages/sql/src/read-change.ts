import { suggestion } from "@lakehelm/contract/text";
import { lonelyBracket } from "./brackets.ts";
import { tooMuch } from "./limits.ts";
import type { Sql } from "./load.ts";
import type { QueryRules } from "./read-query.ts";
import { readStatement } from "./read-statement.ts";
import { scan } from "./scan.ts";
import { sourcesOf } from "./select/expression.ts";
import { inRelation } from "./select/names.ts";
import { queryRows } from "./select/query.ts";
import type { Reading } from "./select/reading.ts";
import { relationsOf } from "./select/relations.ts";
import { emptyScope, type Relation, type Scope } from "./select/scope.ts";
import { expressionOf, identifierOf, isNode, nodesOf, type SyntaxNode } from "./syntax.ts";
import type { Remark } from "./token.ts";
import { changeWords } from "./words/keywords.ts";

/** What an UPDATE, DELETE or MERGE reads beside the rows that it changes, and all that is wrong with it. */
export interface ChangeReading {
  readonly tables: readonly string[];
  readonly remarks: readonly Remark[];
}

/** What each of them may consist of. Other parts are of other dialects. */
const parts: Readonly<Record<string, readonly string[]>> = {
  update: ["table", "set", "where_clause"],
  delete: ["table", "alias", "alias_explicit_as", "where_clause"],
  merge: ["this", "using", "on", "whens"],
};

/** Reads one UPDATE, DELETE or MERGE. */
export function readChange(sql: Sql, text: string, rules: Omit<QueryRules, "isNamed">): ChangeReading {
  const { tokens, remarks } = scan(text);
  const found = new Map<string, Remark>();
  const complain = (at: number, message: string) => found.set(`${at} ${message}`, { at, message });
  for (const { at, message } of [...remarks, tooMuch(tokens) ?? lonelyBracket(tokens)].filter(
    (one) => one !== undefined,
  ))
    complain(at, message);
  const tree =
    found.size === 0
      ? readStatement(sql, text, tokens, { ...rules, words: changeWords }, complain)
      : undefined;
  if (tree) {
    const reading: Reading = {
      ...tree.reading,
      query: (node, surroundings) => queryRows(node, surroundings, reading),
    };
    readTree(tree.statement, reading);
    if (found.size === 0 && tree.names.parts.some((part) => !reading.seen.has(part)))
      complain(
        tokens[0]?.start ?? 0,
        "a part of this statement is not understood: write it in a plainer way.",
      );
  }
  const all = [...found.values()].toSorted((left, right) => left.at - right.at).slice(0, 50);
  return { tables: [...(tree?.reading.tables ?? [])], remarks: all };
}

function readTree(statement: SyntaxNode, reading: Reading): void {
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  const start = reading.tokens[0]?.start ?? 0;
  const known = parts[kind];
  if (!known) {
    reading.complain(start, "expected UPDATE, DELETE or MERGE.");
    return;
  }
  for (const [part, value] of Object.entries(body)) {
    if (!known.includes(part) && !isAbsent(value))
      reading.complain(
        start,
        `this statement has a part that Databricks does not know (${part.replaceAll("_", " ")}).`,
      );
  }
  // Whose rows are changed is not among what is read.
  const apart: Reading = { ...reading, tables: new Set() };
  const nowhere = emptyScope({ ctes: new Map(), outer: undefined });
  const table = isNode(body.table)
    ? { table: kind === "delete" ? { ...body.table, alias: body.alias } : body.table }
    : body.this;
  const { visible } = relationsOf(table, nowhere, apart);
  if (isNode(body.table)) reading.seen.add(body.table);
  const [target] = visible;
  if (!target) return;
  const scope: Scope = { ...nowhere, relations: visible };
  if (kind === "update") assignments(body.set, target, scope, reading);
  if (kind !== "merge") sourcesOf(body.where_clause, scope, reading);
  else merge(body, target, scope, reading);
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

function assignments(set: unknown, target: Relation, scope: Scope, reading: Reading): void {
  for (const pair of Array.isArray(set) ? set : []) {
    const [column, value] = Array.isArray(pair) ? pair : [];
    hasColumn(column, target, reading);
    sourcesOf(value, scope, reading);
  }
}

/** A column that is set must be one of the target. The library keeps `t.a` as one name. */
function hasColumn(column: unknown, target: Relation, reading: Reading): void {
  const found = identifierOf(column);
  if (!found) return;
  const name = found.quoted ? found.name : (found.name.split(".").at(-1) ?? "");
  const at = reading.units(found.from ?? 0);
  if (inRelation({ name, at }, target, reading)) return;
  const owner = target.names[0]?.join(".") ?? "the table";
  reading.complain(at, `${owner} has no column ${name}.${suggestion(name, target.index.keys())}`);
}

/** Each WHEN sees what it has: the source alone where nothing of the target matched, and the other way round. */
function merge(body: SyntaxNode, target: Relation, scope: Scope, reading: Reading): void {
  const start = reading.tokens[0]?.start ?? 0;
  const whens = isNode(body.whens) ? nodesOf(expressionOf(body.whens)?.body.expressions) : [];
  if (isAbsent(body.on) || whens.length === 0) {
    reading.complain(start, "MERGE needs ON and at least one WHEN.");
    return;
  }
  const source = relationsOf(body.using, emptyScope({ ctes: new Map(), outer: undefined }), reading).visible;
  const both: Scope = { ...scope, relations: [target, ...source] };
  sourcesOf(body.on, both, reading);
  for (const one of whens) {
    const when = expressionOf(one)?.body ?? {};
    const isMatched = expressionOf(when.matched)?.body.value === true;
    const bySource = expressionOf(when.source)?.body.value === true;
    const seen = isMatched ? both : { ...scope, relations: bySource ? [target] : source };
    sourcesOf(when.condition, seen, reading);
    action(when.then, target, seen, reading);
  }
}

/** `UPDATE SET a = b`, `INSERT (a) VALUES (b)`, `UPDATE SET *`, `INSERT *` or `DELETE` */
function action(then: unknown, target: Relation, scope: Scope, reading: Reading): void {
  const [, first, second] = nodesOf(expressionOf(then)?.body.expressions);
  const { kind, body } = expressionOf(first) ?? { kind: "", body: {} };
  if (kind !== "tuple") return;
  const entries = nodesOf(body.expressions);
  for (const entry of entries) {
    const { kind: what, body: one } = expressionOf(entry) ?? { kind: "", body: {} };
    if (what === "eq") {
      const left = expressionOf(one.left);
      hasColumn(left?.kind === "column" ? left.body.name : left?.body, target, reading);
      sourcesOf(one.right, scope, reading);
    } else if (what === "identifier" || what === "column")
      hasColumn(what === "column" ? one.name : one, target, reading);
    else sourcesOf(entry, scope, reading);
  }
  const values = nodesOf(expressionOf(second)?.body.expressions);
  sourcesOf(values, scope, reading);
  if (second && values.length !== entries.length)
    reading.complain(
      reading.tokens[0]?.start ?? 0,
      `INSERT names ${entries.length} columns and gives ${values.length} values.`,
    );
}
