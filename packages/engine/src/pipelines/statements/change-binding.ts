import { counted } from "@lakehelm/contract/text";
import { sqlName as authorsName } from "@lakehelm/sql/names";
import type { PlainStatement } from "@lakehelm/sql/pipelines";
import { DataProblem } from "../../protocol/problem.ts";
import type { TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { assignedValue } from "../../warehouse/store-assignment/assigned-value.ts";
import { type Binder, BindingFailed } from "../code/binder.ts";
import { type Assignment, type MergeClause, parseChange, type RowChange } from "./change-parser.ts";

/**
 * A bound UPDATE, DELETE or MERGE. Its expressions are bound as those of a SELECT over the same tables, like any query.
 * `probe` is this SELECT in DuckDB's dialect.
 */
export interface BoundChange {
  readonly change: RowChange;
  readonly probe: string;
  /** The columns of the target, for `*` in a MERGE. */
  readonly columns: readonly string[];
  /**
   * For each expression of the probe, how its value, called `assigned`, is stored. Null if the value is stored
   * unchanged.
   */
  readonly stored: readonly (string | null)[];
}

export const assigned = "assigned";

export async function bindChange(
  binder: Binder,
  table: TableName,
  { sql, defaults, location }: PlainStatement,
): Promise<BoundChange> {
  const existing = await binder.assignedColumns(table);
  const columns = existing.map(({ name }) => name);
  try {
    const change = parseChange(sql);
    if (change.verb === "merge") requireReachable(change.whens);
    const parts = expressionsIn(change, columns);
    const expressions = parts.map(({ text }) => text);
    const target = authorsName(table) + (change.alias === null ? "" : ` AS ${quoted(change.alias)}`);
    const from = change.verb === "merge" ? `${target} CROSS JOIN ${change.source}` : target;
    const probe = `SELECT ${expressions.map((text) => `(${text}\n)`).join(", ")} FROM ${from}`;
    // A DELETE without WHERE has no expressions.
    if (expressions.length === 0) return { change, probe: "", columns, stored: [] };
    const bound = await binder.bind({ sql: probe, defaults, location });
    const types = await binder.typesOf(bound.sql, parts.length);
    const stored = parts.map(({ column: name }, at) => {
      const column = existing.find((one) => name !== null && sameName(one.name, name));
      if (!column) return null;
      const value = assignedValue(assigned, types[at] ?? "", column, { structs: "by name" });
      return value === assigned ? null : value;
    });
    return { change, probe: bound.sql, columns, stored };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    binder.addProblem(location, error.message);
    throw new BindingFailed();
  }
}

/** DuckDB would evaluate the clauses after a clause without a condition. */
function requireReachable(whens: readonly MergeClause[]): void {
  for (const { rows } of whens.filter(({ and }) => and === null)) {
    const [, ...later] = whens.slice(whens.findIndex((one) => one.rows === rows && one.and === null));
    if (later.every((one) => one.rows !== rows)) continue;
    const clause = `WHEN ${rows.toUpperCase().replaceAll("_", " ")}`;
    throw new DataProblem(
      `NON_LAST_${rows.toUpperCase()}_CLAUSE_OMIT_CONDITION: only the last ${clause} may have no condition. Write AND … for the others.`,
    );
  }
}

/** An expression of a change, and the column that its value is stored in; null for a condition. */
interface ChangePart {
  readonly text: string;
  readonly column: string | null;
}

const condition = (text: string | null): ChangePart[] => (text === null ? [] : [{ text, column: null }]);

/** Every expression of a change. `writeChange` takes them in the same order. */
function expressionsIn(change: RowChange, columns: readonly string[]): ChangePart[] {
  if (change.verb === "update") return [...change.set.map(assignment), ...condition(change.where)];
  if (change.verb === "delete") return condition(change.where);
  const ofWhen = ({ and, action }: MergeClause): ChangePart[] => [
    ...condition(and),
    ...valuesOf(action, change.sourceAlias, columns),
  ];
  return [...condition(change.on), ...change.whens.flatMap(ofWhen)];
}

const assignment = ({ column, value }: Assignment): ChangePart => ({ text: value, column });

function valuesOf(
  action: MergeClause["action"],
  source: string | null,
  columns: readonly string[],
): readonly ChangePart[] {
  const all = () => {
    if (source === null) throw new DataProblem("* needs an alias for the source: write USING (…) AS source.");
    return columns.map((column) => ({ text: `${quoted(source)}.${quoted(column)}`, column }));
  };
  if (action === "delete") return [];
  if ("update" in action) return action.update === "*" ? all() : action.update.map(assignment);
  if (action.insert === "*") return all();
  const { columns: named, values } = action.insert;
  const targets = named ?? columns;
  if (targets.length !== values.length)
    throw new DataProblem(
      `INSERT names ${counted(targets.length, "column")}, but has ${counted(values.length, "value")}.`,
    );
  return values.map((text, at) => ({ text, column: targets[at] ?? null }));
}

const quoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
