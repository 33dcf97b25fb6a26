import { suggestion } from "@lakehelm/contract/text";
import { valueWords } from "../vocabulary/keywords.ts";
import { noDefault } from "../vocabulary/unknown-words.ts";
import { type ColumnSource, oneOf, union } from "./column-sources.ts";
import type { QueryContext, TableReference } from "./query-context.ts";
import type { NameScope, Relation } from "./scope.ts";
import { fieldProblem } from "./struct-fields.ts";

export interface NamePart {
  readonly name: string;
  readonly at: number;
}

/** The sources of a column `a`, `t.a`, `s.t.a`, or of a field such as `t.a.b.c`. */
export function sourcesOfName(
  parts: readonly NamePart[],
  scope: NameScope,
  context: QueryContext,
): readonly ColumnSource[] {
  const [first] = parts;
  if (!first) return [];
  const keys = parts.map(({ name }) => name.toLowerCase());
  const key = keys[0] ?? "";
  if (isLocal(key, scope)) return [];
  for (let current: NameScope | undefined = scope; current && parts.length > 1; current = current.outer) {
    for (const relation of current.relations) {
      const qualifier = relation.names.find(
        (name) => name.length < keys.length && name.every((part, index) => part === keys[index]),
      );
      const column = qualifier && parts[qualifier.length];
      if (!column) continue;
      if (qualifier.length > 1)
        context.references.push(...qualifierReference(parts, qualifier, relation, context));
      checkFieldsOf(column, parts.slice(qualifier.length + 1), [relation], context);
      const found =
        columnInRelation(column, relation, context) ?? unqualifiedColumn(first, scope, context, true);
      if (found) return found;
      const owner = qualifier.join(".");
      context.report(
        column.at,
        `${owner} has no column ${column.name}.${suggestion(column.name, columnNames([relation]))}`,
      );
      return [];
    }
  }
  const found = unqualifiedColumn(first, scope, context, false);
  if (found && parts.length > 1 && !isAlias(key, scope))
    checkFieldsOf(first, parts.slice(1), relationsAround(scope), context);
  if (found) return found;
  if (!valueWords.has(key)) {
    const all = relationsAround(scope);
    const what =
      parts.length > 1 ? "is neither a table nor a column here" : "is not a column of any table here";
    const known =
      parts.length > 1 ? all.flatMap(({ names }) => names.map((name) => name.join("."))) : columnNames(all);
    const isDefault = parts.length === 1 && key === "default";
    context.report(
      first.at,
      isDefault ? noDefault : `${first.name} ${what}.${suggestion(first.name, known)}`,
    );
  }
  return [];
}

/** Checks the fields of a column if exactly one column matches and its type is known. */
function checkFieldsOf(
  column: NamePart,
  path: readonly NamePart[],
  relations: readonly Relation[],
  { report }: QueryContext,
): void {
  const found =
    path.length === 0 ? [] : relations.flatMap(({ index }) => index.get(column.name.toLowerCase()) ?? []);
  const [only] = found;
  if (found.length !== 1 || only?.type === undefined) return;
  const problem = fieldProblem(only.name, only.type, path);
  if (problem) report(problem.at, problem.message);
}

/** The reference to a table in front of a column, if the text qualifies the table name. */
function qualifierReference(
  parts: readonly NamePart[],
  { length }: readonly string[],
  { names }: Relation,
  { tokens }: QueryContext,
): TableReference[] {
  const [catalog, schema, table] = names.find((name) => name.length === 3) ?? [];
  const start = parts[0]?.at;
  const end = tokens.find((token) => token.start === parts[length - 1]?.at)?.end;
  if (catalog === undefined || schema === undefined || table === undefined) return [];
  return start === undefined || end === undefined ? [] : [{ table: { catalog, schema, table }, start, end }];
}

/** A column without a qualifier. `listedOnly`: ignores tables with unknown columns. */
function unqualifiedColumn(
  part: NamePart,
  scope: NameScope,
  context: QueryContext,
  listedOnly: boolean,
): readonly ColumnSource[] | undefined {
  const key = part.name.toLowerCase();
  for (let current: NameScope | undefined = scope; current; current = current.outer) {
    const joined = current.joined.get(key);
    if (joined) return joined;
    const listed = current.relations.flatMap(({ index, names }) =>
      (index.get(key) ?? []).map((column) => ({ column, names })),
    );
    const [only] = listed;
    if (only && listed.length > 1 && !listedOnly) {
      const owners = [...new Set(listed.map(({ names }) => names[0]?.join(".") ?? "a subquery"))];
      context.report(
        part.at,
        `${part.name} is ambiguous: ${owners.length > 1 ? `${owners.join(" and ")} have it. Write ${owners[0]}.${part.name}, for example` : `${owners[0]} has it twice`}.`,
      );
    }
    if (only) return union(...listed.map(({ column }) => column.sources));
    if (listedOnly) continue;
    const open = current.relations.flatMap(({ rows }) =>
      rows.open.flatMap((rest) => {
        const sources = rest.find(part.name);
        return sources ? [{ sources, tables: rest.tables }] : [];
      }),
    );
    // The engine prefers a table's column to an alias of the same SELECT. Whether the table has such a column is unknown,
    // unless the alias depends on it: `upper(name) AS name`.
    const alias = current.aliases.get(key);
    if (alias && !(open.length > 0 && alias.some(({ column }) => column.toLowerCase() === key))) return alias;
    if (open.length === 1) return open[0]?.sources;
    if (open.length > 1)
      return oneOf(
        open.flatMap(({ tables }) => tables),
        part.name,
      );
  }
  return undefined;
}

/** A column of one relation. */
export function columnInRelation(
  { name, at }: NamePart,
  { index, rows, names }: Relation,
  context: QueryContext,
): readonly ColumnSource[] | undefined {
  const listed = index.get(name.toLowerCase());
  if (listed) {
    if (listed.length > 1)
      context.report(at, `${name} is ambiguous: ${names[0]?.join(".") ?? "a subquery"} has it twice.`);
    return union(...listed.map(({ sources }) => sources));
  }
  const open = rows.open.filter((rest) => rest.find(name) !== undefined);
  if (open.length === 0) return undefined;
  if (open.length === 1) return open[0]?.find(name);
  return oneOf(
    open.flatMap(({ tables }) => tables),
    name,
  );
}

function isLocal(key: string, scope: NameScope): boolean {
  for (let current: NameScope | undefined = scope; current; current = current.outer)
    if (current.locals.has(key)) return true;
  return false;
}

const isAlias = (key: string, scope: NameScope): boolean =>
  scope.aliases.has(key) || (scope.outer !== undefined && isAlias(key, scope.outer));

function relationsAround(scope: NameScope): readonly Relation[] {
  return [...scope.relations, ...(scope.outer ? relationsAround(scope.outer) : [])];
}

const columnNames = (relations: readonly Relation[]): readonly string[] =>
  relations.flatMap(({ index }) => [...index.keys()].filter((name) => name !== ""));
