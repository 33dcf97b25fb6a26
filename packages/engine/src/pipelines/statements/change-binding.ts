import { sqlName as authorsName } from "@lakehelm/sql/names";
import type { PlainStatement } from "@lakehelm/sql/pipelines";
import { DataProblem } from "../../protocol/problem.ts";
import { sqlName, type TableName } from "../../warehouse/names.ts";
import { type Binder, BindingFailed } from "../code/binder.ts";
import { type MergeClause, parseChange, type RowChange } from "./change-parser.ts";

/**
 * A bound UPDATE, DELETE or MERGE. Its expressions are bound as those of a SELECT over the same tables, like any query.
 * `probe` is this SELECT in DuckDB's dialect.
 */
export interface BoundChange {
  readonly change: RowChange;
  readonly probe: string;
  /** The columns of the target, for `*` in a MERGE. */
  readonly columns: readonly string[];
}

export async function bindChange(
  binder: Binder,
  table: TableName,
  { sql, defaults, location }: PlainStatement,
): Promise<BoundChange> {
  const columns = (await binder.columnsOf(`SELECT * FROM ${sqlName(table)}`)).map(({ name }) => name);
  try {
    const change = parseChange(sql);
    const expressions = expressionsIn(change, columns);
    const target = authorsName(table) + (change.alias === null ? "" : ` AS ${quoted(change.alias)}`);
    const from = change.verb === "merge" ? `${target} CROSS JOIN ${change.source}` : target;
    const probe = `SELECT ${expressions.map((text) => `(${text}\n)`).join(", ")} FROM ${from}`;
    // A DELETE without WHERE has no expressions.
    if (expressions.length === 0) return { change, probe: "", columns };
    return { change, probe: (await binder.bind({ sql: probe, defaults, location })).sql, columns };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    binder.addProblem(location, error.message);
    throw new BindingFailed();
  }
}

/** Every expression of a change. `writeChange` takes them in the same order. */
function expressionsIn(change: RowChange, columns: readonly string[]): string[] {
  if (change.verb === "update") {
    return [...change.set.map(({ value }) => value), ...(change.where === null ? [] : [change.where])];
  }
  if (change.verb === "delete") return change.where === null ? [] : [change.where];
  const ofWhen = ({ and, action }: MergeClause): string[] => [
    ...(and === null ? [] : [and]),
    ...valuesOf(action, change.sourceAlias, columns),
  ];
  return [change.on, ...change.whens.flatMap(ofWhen)];
}

function valuesOf(
  action: MergeClause["action"],
  source: string | null,
  columns: readonly string[],
): readonly string[] {
  const all = () => {
    if (source === null) throw new DataProblem("* needs an alias for the source: write USING (…) AS source.");
    return columns.map((name) => `${quoted(source)}.${quoted(name)}`);
  };
  if (action === "delete") return [];
  if ("update" in action) return action.update === "*" ? all() : action.update.map(({ value }) => value);
  return action.insert === "*" ? all() : action.insert.values;
}

const quoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
