import { type PlanKind, planKinds } from "@lakehelm/contract";
import { tokenize } from "@lakehelm/sql";
import { fullTableName } from "../../runtime/platforms/warehouse.ts";
import type { Definition } from "../planned-definition.ts";

/** The tables that a resource reads and writes, and the resources that it uses by name. */
export interface Lineage {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly uses: readonly string[];
}

/** Completes the names of tables. */
export interface TableScope {
  readonly catalog: string;
  readonly schema: string;
}

/** A resource in a map of all. */
export const nodeOf = (kind: PlanKind, name: string): string => `${kind}/${name}`;
export const kindOfNode = (node: string): PlanKind => node.slice(0, node.indexOf("/")) as PlanKind;
export const nameOfNode = (node: string): string => node.slice(node.indexOf("/") + 1);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const map = (value: unknown): Definition =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Definition) : {};
const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

/** A connector that imports may name another catalog and schema for its tables. */
export function connectorScope({ target_type, target_config }: Definition, scope: TableScope): TableScope {
  if (target_type !== "warehouse") return scope;
  const { catalog, schema } = map(target_config);
  return {
    catalog: typeof catalog === "string" ? catalog : scope.catalog,
    schema: typeof schema === "string" ? schema : scope.schema,
  };
}

/** What a definition says about tables and other resources. The tables of a pipeline are in its code, and not known here. */
export function lineageOf(kind: PlanKind, definition: Definition, scope: TableScope): Lineage {
  const tables = (names: readonly unknown[], own = scope) => [
    ...new Set(texts(names).map((name) => fullTableName(name, own))),
  ];
  const nothing: Lineage = { reads: [], writes: [], uses: [] };
  switch (kind) {
    case "connector": {
      const datasets = list(definition.datasets).map(map);
      const waits = list(map(definition.table_update_config).table_names);
      const targets = datasets.map((one) => one.target_name);
      return definition.target_type === "warehouse"
        ? { reads: tables(waits), writes: tables(targets, connectorScope(definition, scope)), uses: [] }
        : { reads: tables([...waits, ...datasets.map((one) => one.source_dataset)]), writes: [], uses: [] };
    }
    case "flow": {
      const [target] = tables([definition.target_name]);
      if (target === undefined) return nothing;
      const own = [target, `${target}_unmatched`];
      const reads = tables(list(definition.source_tables)).filter((name) => !own.includes(name));
      return { reads, writes: own, uses: [] };
    }
    case "app":
      return { ...nothing, uses: texts([definition.agent]).map((name) => nodeOf("agent", name)) };
    case "automation": {
      const design = map(definition.definition);
      const uses = list(design.tasks)
        .map(map)
        .flatMap(({ kind: task, reference }) =>
          planKinds
            .filter((one) => one === task && typeof reference === "string")
            .map((one) => nodeOf(one, String(reference))),
        );
      return { ...nothing, reads: tables(list(map(map(design.trigger).table_update).table_names)), uses };
    }
    default:
      return nothing;
  }
}

const selects = ["matched_sql", "unmatched_sql", "recheck_sql"] as const;

/**
 * Which of these columns a resource uses of a table that it reads: those that its SELECTs name. Null: all, because it takes all
 * columns, or because its columns are not known.
 */
export function usedColumns(
  kind: PlanKind,
  definition: Definition,
  columns: readonly string[],
): readonly string[] | null {
  if (kind !== "flow") return null;
  const named = new Set<string>();
  for (const field of selects) {
    const text = definition[field];
    if (typeof text !== "string") continue;
    const tokens = withoutTables(text, definition);
    for (const [at, { kind: token, value }] of tokens.entries()) {
      if (token === "word" || token === "quoted") named.add(value.toLowerCase());
      // `*` after SELECT, a comma or a dot takes all columns; elsewhere it multiplies or counts.
      const before = tokens[at - 1]?.value.toLowerCase() ?? "";
      if (token === "mark" && value === "*" && ["select", "distinct", ",", "."].includes(before)) return null;
    }
  }
  return columns.filter((column) => named.has(column.toLowerCase()));
}

/** Ends the list of a SELECT. */
const clauses = new Set(["from", "where", "group", "having", "order", "limit", "window", "qualify"]);
const compound = new Set([
  "with",
  "distinct",
  "union",
  "intersect",
  "except",
  "minus",
  "lateral",
  "unpivot",
  "pivot",
]);

/**
 * The columns of a flow's table that change when these columns of what it reads change: those whose item in the SELECT names one
 * of them. Null: all, because one of them is in a condition, a join or a key, or because the SELECT is not a plain one.
 */
export function columnsFrom(
  kind: PlanKind,
  definition: Definition,
  taken: readonly string[],
): readonly string[] | null {
  if (kind !== "flow") return null;
  const columns = new Set<string>();
  for (const field of selects) {
    const text = definition[field];
    if (typeof text !== "string") continue;
    const words = new Set(taken.map((column) => column.toLowerCase()));
    const found = itemsWith(withoutTables(text, definition), words);
    if (found === null) return null;
    for (const column of found) columns.add(column);
  }
  const known = list(map(definition.target_schema).columns).map(map);
  const isKey = known.some(({ name, pk }) => pk === true && columns.has(String(name).toLowerCase()));
  if (isKey) return null;
  return known.flatMap(({ name }) =>
    typeof name === "string" && columns.has(name.toLowerCase()) ? [name] : [],
  );
}

type Tokens = ReturnType<typeof tokenize>["tokens"];

/**
 * The tokens without the source tables after FROM and JOIN: a column may have the name of its table. Only names with a schema:
 * after `IS DISTINCT FROM`, a single name is a column.
 */
function withoutTables(text: string, { source_tables }: Definition): Tokens {
  const { tokens } = tokenize(text);
  const sources = new Set(
    texts(list(source_tables)).flatMap((name) =>
      name.includes(".") ? [name.replaceAll("`", "").toLowerCase()] : [],
    ),
  );
  const kept: Tokens[number][] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Tokens[number];
    kept.push(token);
    if (token.kind !== "word" || !/^(?:from|join)$/i.test(token.value)) continue;
    let end = at + 1;
    while (tokens[end + 1]?.value === "." && end < at + 5) end += 2;
    const name = tokens.slice(at + 1, end + 1).map(({ value }) => value.toLowerCase());
    if (sources.has(name.join(""))) at = end;
  }
  return kept;
}

/** The names of the items of a SELECT that name one of these columns; null: not known. One pass over the tokens. */
function itemsWith(tokens: Tokens, taken: ReadonlySet<string>): string[] | null {
  if (tokens[0]?.value !== "select") return null;
  const found: string[] = [];
  let depth = 0;
  let isInList = true;
  let isTaken = false;
  let name: string | undefined;
  const endItem = (): boolean => {
    if (isTaken && name === undefined) return false;
    if (isTaken && name !== undefined) found.push(name);
    isTaken = false;
    name = undefined;
    return true;
  };
  for (const { kind, value } of tokens.slice(1)) {
    const word = value.toLowerCase();
    const isName = kind === "word" || kind === "quoted";
    if (kind === "mark" && "([{".includes(value)) depth += 1;
    if (kind === "mark" && ")]}".includes(value)) depth -= 1;
    // A SELECT inside of another one, or several of them: their columns are not followed.
    if (kind === "word" && (word === "select" || compound.has(word))) return null;
    if (!isInList) {
      if (isName && taken.has(word)) return null;
      continue;
    }
    if (depth === 0 && kind === "mark" && value === ",") {
      if (!endItem()) return null;
    } else if (depth === 0 && kind === "word" && clauses.has(word)) {
      if (!endItem()) return null;
      isInList = false;
    } else {
      if (isName && taken.has(word)) isTaken = true;
      // The last name of an item is its alias, or the column itself; after anything else it has no name that we know.
      name = isName && depth === 0 ? word : kind === "mark" && value === "." ? name : undefined;
    }
  }
  return !isInList || endItem() ? found : null;
}

/** The columns of a flow's table that a change concerns; null: all, or they are not known. */
export function changedColumns(
  kind: PlanKind,
  paths: readonly string[],
  before: Definition,
  after: Definition,
): readonly string[] | null {
  if (kind !== "flow") return null;
  const columns = new Set<string>();
  for (const path of paths) {
    const [, column] = /^target_schema\.columns\[([^\]]+)\]/.exec(path) ?? [];
    if (column !== undefined) columns.add(column);
    // Descriptions and schedules change no value; a SELECT may change all of them.
    else if (!/^(?:description|schedule|trigger_type|requested_by|table_properties|paused)/.test(path))
      return null;
  }
  const known = new Set(
    [before, after].flatMap((one) => list(map(one.target_schema).columns).map((c) => map(c).name)),
  );
  return [...columns].filter((column) => known.has(column));
}
