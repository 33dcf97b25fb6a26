import type { DuckDBConnection } from "@duckdb/node-api";
import { counted, verbFor } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import { fullName, quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { isNode, writeSql } from "../../warehouse/queries/syntax-tree.ts";
import { countRows } from "../../warehouse/relation.ts";
import { hidesRowNumbers, rowNumber, withRowNumbers } from "../../warehouse/row-numbers.ts";
import { expressionsOf } from "../code/expressions.ts";
import { parseSelect, substituteTables, type TableSubstitutes } from "../code/table-substitution.ts";
import { assigned, type BoundChange } from "./change-binding.ts";
import type { Assignment, MergeClause } from "./change-parser.ts";
import { sourceRows } from "./source-rows.ts";

/** The statement in DuckDB's dialect, with the expressions of its probe. */
export async function writeChange(
  connection: DuckDBConnection,
  table: TableName,
  { change, probe, columns, stored }: BoundChange,
  substitutes: TableSubstitutes,
): Promise<string> {
  const substituted = probe === "" ? "" : await substituteTables(connection, probe, substitutes);
  const expressions = substituted === "" ? [] : await expressionsOf(connection, substituted);
  let at = 0;
  const next = () => {
    const [expression = "NULL", value = null] = [expressions[at], stored[at]];
    at += 1;
    // The lambda computes the expression once.
    return value === null ? expression : `list_transform([${expression}], lambda ${assigned}: ${value})[1]`;
  };
  const target = sqlName(table) + (change.alias === null ? "" : ` AS ${quote(change.alias)}`);
  const set = (assignments: readonly Pick<Assignment, "column">[]) =>
    assignments.map(({ column }) => `${quote(column)} = ${next()}`).join(", ");
  if (change.verb === "update") {
    const values = set(change.set);
    return `UPDATE ${target} SET ${values}${change.where === null ? "" : ` WHERE ${next()}`}`;
  }
  if (change.verb === "delete") {
    return `DELETE FROM ${target}${change.where === null ? "" : ` WHERE ${next()}`}`;
  }
  const on = next();
  const all = columns.map((column) => ({ column }));
  const written = (action: MergeClause["action"]): string => {
    if (action === "delete") return "DELETE";
    if ("update" in action) return `UPDATE SET ${set(action.update === "*" ? all : action.update)}`;
    const named = action.insert === "*" ? columns : (action.insert.columns ?? columns);
    const values = named.map(() => next());
    return `INSERT (${named.map(quote).join(", ")}) VALUES (${values.join(", ")})`;
  };
  const matching: string[] = [];
  const whens = change.whens.map(({ rows, and, action }) => {
    const which = rows.toUpperCase().replaceAll("_", " ");
    const condition = and === null ? null : next();
    if (rows === "matched") matching.push(condition ?? "true");
    return `WHEN ${which}${condition === null ? "" : ` AND ${condition}`} THEN ${written(action)}`;
  });
  const source = await sourceOf(connection, table, substituted);
  const taken = matching.map((condition) => `(${condition})`).join(" OR ");
  const rest = `JOIN ${source} ON ${on} WHERE ${taken}`;
  const name = quote(change.alias ?? table.table);
  if (await hidesRowNumbers(connection, sqlName(table))) {
    const rows = await withRowNumbers(connection, sqlName(table));
    await requireOneMatch(
      connection,
      table,
      change.whens,
      `${name}.${rowNumber}`,
      `${rows} AS ${name} ${rest}`,
    );
  } else await requireOneMatch(connection, table, change.whens, `${name}.rowid`, `${target} ${rest}`);
  return `MERGE INTO ${target} USING ${source} ON ${on} ${whens.join(" ")}`;
}

/** The right side of the probe's join. */
async function sourceOf(connection: DuckDBConnection, table: TableName, probe: string): Promise<string> {
  const statement = await parseSelect(connection, probe);
  const select = await parseSelect(connection, "SELECT *");
  const { node } = statement;
  const join = isNode(node) ? node.from_table : undefined;
  if (!isNode(node) || !isNode(join) || !isNode(join.right) || !isNode(select.node))
    throw new Error(`No join in ${probe}`);
  const { right } = join;
  const query = await writeSql(connection, {
    ...select,
    node: { ...select.node, from_table: right },
  });
  const rows = await sourceRows(connection, table, query);
  const from = "SELECT * FROM ";
  if (rows === `(${query})` && query.startsWith(from)) return query.slice(from.length);
  const alias = right.alias || right.table_name;
  return typeof alias === "string" && alias !== "" ? `${rows} AS ${quote(alias)}` : rows;
}

/**
 * If several source rows match a row of the table, DuckDB would use any of them. Databricks refuses the statement,
 * unless all matched rows are deleted. `join` has the matches that a clause takes, and `row` is the number of a row of
 * the table.
 */
async function requireOneMatch(
  connection: DuckDBConnection,
  table: TableName,
  whens: readonly MergeClause[],
  row: string,
  join: string,
): Promise<void> {
  const matched = whens.filter(({ rows }) => rows === "matched");
  if (matched.length === 0 || matched.every(({ and, action }) => action === "delete" && and === null)) return;
  const several = await countRows(
    connection,
    `(SELECT ${row} FROM ${join} GROUP BY ${row} HAVING count(*) > 1)`,
  );
  if (several === 0) return;
  throw new DataProblem(
    `MERGE: ${counted(several, "row")} of ${fullName(table)} ${verbFor(several, "matches", "match")} more than one row of the source, so the result would be ambiguous.`,
  );
}
