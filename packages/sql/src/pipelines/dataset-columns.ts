import { suggestion } from "@lakehelm/contract/text";
import { union } from "../query/column-sources.ts";
import type { AnalyzedFlow } from "./analyzed-flow.ts";
import type { DatasetNode } from "./nodes.ts";
import type { DatasetColumn, DeclaredColumn } from "./plan.ts";

/** What a dataset gives: what fills it says so, and its head may call it otherwise. Undefined where it is not known. */
export function columnsOfDataset(
  { draft, name, flows }: DatasetNode,
  fed: readonly AnalyzedFlow[],
): readonly DatasetColumn[] | undefined {
  const { declared } = draft.dataset;
  const { report } = draft.statement;
  if (fed.length === 0) {
    if (declared.length > 0) return declared.map(({ name: column }) => filled(column, []));
    report(draft.at, `nothing fills ${name}: it needs AS and a query, a flow, or at least columns.`);
    return undefined;
  }
  if (fed.some(({ columns }) => columns === undefined)) return undefined;
  const given = together(fed);
  if (declared.length === 0) return given;
  if (flows.length > 0) return byName(declared, given, fed, name);
  if (declared.every((column) => find(given, column.name)) && declared.length === given.length)
    return declared.map((column) => filled(column.name, given));
  if (declared.length === given.length)
    return declared.map((column, at) => {
      const { selected = column.name, from = [] } = given[at] ?? {};
      return { name: column.name, selected, from };
    });
  report(draft.at, `${name} names ${declared.length} columns, and its query gives ${given.length}.`);
  return undefined;
}

const find = (columns: readonly DatasetColumn[], name: string): DatasetColumn | undefined =>
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());

/** A column of the head as what fills it by its name, if anything does. */
const filled = (name: string, given: readonly DatasetColumn[]): DatasetColumn => {
  const { selected = name, from = [] } = find(given, name) ?? {};
  return { name, selected, from };
};

/** The columns of all feedings, each once. */
function together(fed: readonly AnalyzedFlow[]): readonly DatasetColumn[] {
  const found = new Map<string, DatasetColumn>();
  for (const { name, sources } of fed.flatMap(({ columns }) => columns ?? [])) {
    const key = name.toLowerCase();
    const other = found.get(key);
    found.set(
      key,
      other ? { ...other, from: union(other.from, sources) } : { name, selected: name, from: sources },
    );
  }
  return [...found.values()];
}

/** Flows fill the columns of the head by their names; what none of them gives stays empty. */
function byName(
  declared: readonly DeclaredColumn[],
  given: readonly DatasetColumn[],
  fed: readonly AnalyzedFlow[],
  name: string,
): readonly DatasetColumn[] {
  const names = declared.map((column) => column.name);
  for (const { columns = [], statement } of fed) {
    for (const column of columns) {
      if (!names.some((one) => one.toLowerCase() === column.name.toLowerCase()))
        statement.report(column.at, `${name} has no column ${column.name}.${suggestion(column.name, names)}`);
    }
  }
  return names.map((one) => filled(one, given));
}
