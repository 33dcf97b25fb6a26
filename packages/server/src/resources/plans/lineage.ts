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

/** What a definition says about tables and other resources. The tables of a pipeline are in its code, and not known here. */
export function lineageOf(kind: PlanKind, definition: Definition, scope: TableScope): Lineage {
  const tables = (names: readonly unknown[]) => [
    ...new Set(texts(names).map((name) => fullTableName(name, scope))),
  ];
  const nothing: Lineage = { reads: [], writes: [], uses: [] };
  switch (kind) {
    case "connector": {
      const datasets = list(definition.datasets).map(map);
      const waits = list(map(definition.table_update_config).table_names);
      return definition.target_type === "warehouse"
        ? { reads: tables(waits), writes: tables(datasets.map((one) => one.target_name)), uses: [] }
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
    const { tokens } = tokenize(text);
    for (const [at, { kind: token, value }] of tokens.entries()) {
      if (token === "word" || token === "quoted") named.add(value.toLowerCase());
      // `*` after SELECT, a comma or a dot takes all columns; elsewhere it multiplies or counts.
      const before = tokens[at - 1]?.value.toLowerCase() ?? "";
      if (token === "mark" && value === "*" && ["select", "distinct", ",", "."].includes(before)) return null;
    }
  }
  return columns.filter((column) => named.has(column.toLowerCase()));
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
