import type { PlanKind } from "@lakehelm/contract";
import { tokenize } from "@lakehelm/sql";
import type { DataPath } from "@lakehelm/sql/pipelines";
import {
  appLineage,
  connectorLineage,
  type DeclaredLineage,
  designLineage,
  flowLineage,
} from "../../core/store/declared-lineage.ts";
import { fullTableName, type TableScope } from "../../runtime/platforms/warehouse.ts";
import type { Definition } from "../planned-definition.ts";

/** What a resource reads and writes, by the full names of tables, and the resources that it uses by name. */
export interface Lineage {
  /** Each table that the resource writes, with the tables that its rows come from. */
  readonly paths: readonly DataPath[];
  /** Tables whose changes start the resource. */
  readonly waits: readonly string[];
  readonly uses: readonly string[];
}

export const writesOf = ({ paths }: Lineage): readonly string[] => [
  ...new Set(paths.flatMap(({ table }) => (table === null ? [] : [table]))),
];
export const readsOf = ({ paths, waits }: Lineage): readonly string[] => [
  ...new Set([...waits, ...paths.flatMap(({ reads }) => reads)]),
];

export type { TableScope } from "../../runtime/platforms/warehouse.ts";

/** The key of a resource in maps and graphs. */
export const nodeOf = (kind: PlanKind, name: string): string => `${kind}/${name}`;
export const kindOfNode = (node: string): PlanKind => node.slice(0, node.indexOf("/")) as PlanKind;
export const nameOfNode = (node: string): string => node.slice(node.indexOf("/") + 1);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const map = (value: unknown): Definition =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Definition) : {};
const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

/**
 * What a definition says about tables and other resources, without its code. A flow may name tables that none of its
 * SELECTs reads.
 */
export const lineageOf = (kind: PlanKind, definition: Definition, scope: TableScope): Lineage =>
  lineageIn(kind, declaredLineage(kind, definition), scope);

function declaredLineage(kind: PlanKind, definition: Definition): DeclaredLineage {
  switch (kind) {
    case "connector":
      return connectorLineage(definition);
    case "flow":
      return flowLineage(definition);
    case "app":
      return appLineage(definition);
    case "automation":
      return designLineage(map(definition.definition));
    default:
      return { reads: [], writes: [], waits: [], uses: [] };
  }
}

/** The declared lineage with the full names of tables. */
export function lineageIn(kind: PlanKind, declared: DeclaredLineage, scope: TableScope): Lineage {
  const { catalog = scope.catalog, schema = scope.schema } = declared;
  const tables = (names: readonly string[], own = scope) => [
    ...new Set(names.map((name) => fullTableName(name, own))),
  ];
  const waits = tables(declared.waits);
  const uses = declared.uses.map(([used, name]) => nodeOf(used as PlanKind, name));
  const written = tables(declared.writes, { catalog, schema });
  const writes = declared.hasUnmatched ? written.flatMap((table) => [table, `${table}_unmatched`]) : written;
  const reads = tables(declared.reads).filter((name) => kind !== "flow" || !writes.includes(name));
  if (writes.length > 0) {
    const own = kind === "flow" ? waits.filter((name) => !writes.includes(name)) : waits;
    return { paths: writes.map((table) => ({ table, reads })), waits: own, uses };
  }
  return { paths: reads.length > 0 || kind === "connector" ? [{ table: null, reads }] : [], waits, uses };
}

const selects = ["matched_sql", "unmatched_sql", "recheck_sql"] as const;

/** The names in a SELECT, read once: a plan asks about the same flow for each table and column that leads to it. */
interface SelectNames {
  /** All names in the SELECT. */
  readonly words: ReadonlySet<string>;
  /** Whether the SELECT takes all columns of a table. */
  readonly hasStar: boolean;
  /** Undefined if it is not a plain SELECT: then it is not known which item has which names. */
  readonly plain: PlainSelect | undefined;
}

interface PlainSelect {
  /** The items that each name is in. */
  readonly items: ReadonlyMap<string, readonly number[]>;
  /** The name that each item has, if it is known. */
  readonly names: readonly (string | undefined)[];
  /** Names in conditions, joins and other clauses. */
  readonly rest: ReadonlySet<string>;
}

const known = new WeakMap<Definition, readonly SelectNames[]>();

const selectsOf = (definition: Definition): readonly SelectNames[] =>
  known.getOrInsertComputed(definition, () =>
    texts(selects.map((field) => definition[field])).map((text) => {
      const tokens = withoutTables(text, definition);
      return { words: wordsOf(tokens), hasStar: hasStar(tokens), plain: plainSelect(tokens) };
    }),
  );

/**
 * The columns, of these, that a resource uses of a table: those that its SELECTs name. Null: all, because a SELECT
 * takes all columns, or because the used columns are not known.
 */
export function usedColumns(
  kind: PlanKind,
  definition: Definition,
  columns: readonly string[],
): readonly string[] | null {
  if (kind !== "flow") return null;
  const found = selectsOf(definition);
  if (found.some(({ hasStar }) => hasStar)) return null;
  return columns.filter((column) => found.some(({ words }) => words.has(column.toLowerCase())));
}

/** Keywords that end the list of a SELECT. */
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
 * The columns of a flow's table that change when these columns of its sources change: those whose item in the SELECT
 * names one of them. Null: all, because a source column is in a condition, a join or a key, or because the SELECT is
 * not a plain one.
 */
export function columnsFrom(
  kind: PlanKind,
  definition: Definition,
  taken: readonly string[],
): readonly string[] | null {
  if (kind !== "flow") return null;
  const columns = new Set<string>();
  for (const { plain } of selectsOf(definition)) {
    if (!plain) return null;
    for (const word of new Set(taken.map((column) => column.toLowerCase()))) {
      if (plain.rest.has(word)) return null;
      for (const item of plain.items.get(word) ?? []) {
        const name = plain.names[item];
        if (name === undefined) return null;
        columns.add(name);
      }
    }
  }
  const declared = list(map(definition.target_schema).columns).map(map);
  const isKey = declared.some(({ name, pk }) => pk === true && columns.has(String(name).toLowerCase()));
  if (isKey) return null;
  return declared.flatMap(({ name }) =>
    typeof name === "string" && columns.has(name.toLowerCase()) ? [name] : [],
  );
}

type Tokens = ReturnType<typeof tokenize>["tokens"];

const isName = ({ kind }: Tokens[number]) => kind === "word" || kind === "quoted";

const wordsOf = (tokens: Tokens) => new Set(tokens.filter(isName).map(({ value }) => value.toLowerCase()));

/** `*` after SELECT, a comma or a dot takes all columns; elsewhere it multiplies or counts. */
const hasStar = (tokens: Tokens) =>
  tokens.some(({ kind, value }, at) => {
    if (kind !== "mark" || value !== "*") return false;
    return ["select", "distinct", ",", "."].includes(tokens[at - 1]?.value.toLowerCase() ?? "");
  });

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

/** Which item of a SELECT has which names. One pass over the tokens. */
function plainSelect(tokens: Tokens): PlainSelect | undefined {
  if (tokens[0]?.value !== "select") return undefined;
  const items = new Map<string, number[]>();
  const names: (string | undefined)[] = [];
  const rest = new Set<string>();
  let depth = 0;
  let isInList = true;
  let words = new Set<string>();
  let name: string | undefined;
  const endItem = () => {
    for (const word of words) items.getOrInsertComputed(word, () => []).push(names.length);
    names.push(name);
    words = new Set();
    name = undefined;
  };
  for (const token of tokens.slice(1)) {
    const { kind, value } = token;
    const word = value.toLowerCase();
    if (kind === "mark" && "([{".includes(value)) depth += 1;
    if (kind === "mark" && ")]}".includes(value)) depth -= 1;
    // Columns of nested or combined SELECTs are not followed.
    if (kind === "word" && (word === "select" || compound.has(word))) return undefined;
    if (!isInList) {
      if (isName(token)) rest.add(word);
    } else if (depth === 0 && kind === "mark" && value === ",") {
      endItem();
    } else if (depth === 0 && kind === "word" && clauses.has(word)) {
      endItem();
      isInList = false;
    } else {
      if (isName(token)) words.add(word);
      // The last name of an item is its alias, or the column itself; after anything else it has no name that we know.
      name = isName(token) && depth === 0 ? word : kind === "mark" && value === "." ? name : undefined;
    }
  }
  if (isInList) endItem();
  return { items, names, rest };
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
