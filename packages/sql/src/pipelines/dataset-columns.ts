import { counted, suggestion } from "@lakehelm/contract/text";
import { union } from "../query/column-sources.ts";
import type { AnalyzedFlow } from "./analyzed-flow.ts";
import type { DatasetNode } from "./nodes.ts";
import type { DatasetColumn, DeclaredColumn } from "./plan.ts";

/**
 * The columns of a dataset: those of its flows, with the names of its head if the head has columns. Undefined if
 * unknown.
 */
export function columnsOfDataset(
  { draft, name, flows }: DatasetNode,
  analyzed: readonly AnalyzedFlow[],
): readonly DatasetColumn[] | undefined {
  const { declared } = draft.dataset;
  const { report } = draft.statement;
  if (analyzed.length === 0) {
    if (declared.length > 0) return declared.map(({ name: column }) => filled(column, []));
    report(draft.at, `${name} has no query: add AS and a query, a flow, or a list of columns.`);
    return undefined;
  }
  if (analyzed.some(({ columns }) => columns === undefined)) return undefined;
  const given = together(analyzed);
  if (declared.length === 0) return given;
  if (flows.length > 0) return byName(declared, given, analyzed, name);
  if (declared.every((column) => find(given, column.name)) && declared.length === given.length)
    return declared.map((column) => filled(column.name, given));
  if (declared.length === given.length)
    return declared.map((column, at) => {
      const { selected = column.name, from = [] } = given[at] ?? {};
      return { name: column.name, selected, from };
    });
  report(draft.at, `${name} has ${counted(declared.length, "column")}, but its query has ${given.length}.`);
  return undefined;
}

const find = (columns: readonly DatasetColumn[], name: string): DatasetColumn | undefined =>
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());

/** A column of the head, with the sources of the flow column of that name if there is one. */
const filled = (name: string, given: readonly DatasetColumn[]): DatasetColumn => {
  const { selected = name, from = [] } = find(given, name) ?? {};
  return { name, selected, from };
};

/** The columns of all flows, each once. */
function together(analyzed: readonly AnalyzedFlow[]): readonly DatasetColumn[] {
  const found = new Map<string, DatasetColumn>();
  for (const { name, sources } of analyzed.flatMap(({ columns }) => columns ?? [])) {
    const key = name.toLowerCase();
    const other = found.get(key);
    found.set(
      key,
      other ? { ...other, from: union(other.from, sources) } : { name, selected: name, from: sources },
    );
  }
  return [...found.values()];
}

/** Flows fill the columns of the head by name; a column that no flow has is always NULL. */
function byName(
  declared: readonly DeclaredColumn[],
  given: readonly DatasetColumn[],
  analyzed: readonly AnalyzedFlow[],
  name: string,
): readonly DatasetColumn[] {
  const names = declared.map((column) => column.name);
  for (const { columns = [], statement } of analyzed) {
    for (const column of columns) {
      if (!names.some((one) => one.toLowerCase() === column.name.toLowerCase()))
        statement.report(column.at, `${name} has no column ${column.name}.${suggestion(column.name, names)}`);
    }
  }
  return names.map((one) => filled(one, given));
}
