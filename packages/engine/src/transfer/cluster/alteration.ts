import { alterColumns, isReordered, type TableChange, type TableColumn } from "@lakehelm/contract/changes";
import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import type { AlterTableResult } from "../../protocol/alteration.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { databricksType, parseDatabricksType } from "../../protocol/types.ts";
import { fullName, type TableName } from "../../warehouse/names.ts";
import { isWidening, widerOnDelta } from "../../warehouse/type-widening.ts";
import { removalOf, wideningOf } from "./statements.ts";

interface DeltaAlteration {
  readonly result: AlterTableResult;
  /**
   * Table properties that the change needs, which change no data, and last the change itself: one commit of the table.
   */
  readonly statements: readonly string[];
}

/** The statement that changes a column of a Delta table. It rewrites no rows, so it can only widen types. */
export function planDeltaAlteration(
  table: TableName,
  before: readonly TableColumn[],
  changes: readonly TableChange[],
): DeltaAlteration {
  const name = fullName(table);
  const [change, ...more] = changes.map((one) =>
    one.change === "set_type" ? { ...one, type: normalType(one.type) } : one,
  );
  if (!change || more.length > 0)
    throw new DataProblem("Delta commits each change of a column by itself. Send one change at a time.");
  const altered = alterColumns(name, before, [change]);
  if ("problem" in altered) throw new DataProblem(altered.problem);
  const reordered = isReordered(altered, before);
  const isChanged =
    reordered ||
    altered.dropped.length > 0 ||
    altered.columns.some((one) => one.name !== one.before.name || one.type !== one.before.type);
  return {
    statements: isChanged ? statementsOf(table, before, change) : [],
    result: {
      ...{ name: [table.catalog, table.schema, table.table], before, dropped: altered.dropped },
      columns: altered.columns.map((column) => ({ ...column, holdsAll: true, widens: true, unfit: 0 })),
      ...{ imported: null, brokenViews: [] },
      remarks: isChanged ? ["Views of the cluster that read the table are not checked."] : [],
    },
  };
}

/**
 * The statements that widen a column so that it holds the values of a type: none if it already does; undefined if Delta
 * cannot widen the column to this type.
 */
export function wideningStatements(
  table: TableName,
  column: string,
  from: string,
  to: string,
): readonly string[] | undefined {
  const [had, gets] = [parseDatabricksType(from), parseDatabricksType(to)];
  if (had === undefined || gets === undefined)
    return from.toUpperCase() === to.toUpperCase() ? [] : undefined;
  if (isWidening(gets, had)) return [];
  if (widerOnDelta(had, gets) !== gets) return undefined;
  return wideningOf(table, [{ name: column, from: had, to: gets, origin: "", isWider: true }]);
}

/** The type as the cluster writes it. Throws a DataProblem for a type that a column cannot get. */
function normalType(text: string): string {
  const parsed = parseDatabricksType(text);
  if (parsed === undefined || /^\s*(?:var)?char\s*\(/i.test(text))
    throw new DataProblem(
      `${JSON.stringify(text)} is not a type that a column can get here. Write it in Databricks SQL, such as BIGINT, DECIMAL(12,2) or STRING.`,
    );
  return databricksType(parsed);
}

function statementsOf(table: TableName, before: readonly TableColumn[], change: TableChange): string[] {
  const known = before.find(({ name }) => name.toLowerCase() === change.column.toLowerCase());
  const [name, column] = [sqlName(table), known?.name ?? change.column];
  const alter = `ALTER TABLE ${name}`;
  switch (change.change) {
    case "drop":
      return removalOf(table, [column]);
    case "rename":
      return [
        `${alter} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')`,
        `${alter} RENAME COLUMN ${quoteIdentifier(column)} TO ${quoteIdentifier(change.name)}`,
      ];
    case "move": {
      const place = change.after === null ? "FIRST" : `AFTER ${quoteIdentifier(change.after)}`;
      return [`${alter} ALTER COLUMN ${quoteIdentifier(column)} ${place}`];
    }
    case "set_type": {
      const [from, to] = [parseDatabricksType(known?.type ?? ""), parseDatabricksType(change.type)];
      if (from === undefined || to === undefined || widerOnDelta(from, to) !== to)
        throw new DataProblem(
          `${column} is ${known?.type}, which cannot become ${change.type}: Delta only widens types, such as INT to BIGINT or DECIMAL(10,2) to DECIMAL(12,2). A run of the connector or flow with full_refresh writes the table anew with the types of its source or definition.`,
        );
      const statements = wideningOf(table, [{ name: column, from, to, origin: "", isWider: true }]);
      if (statements.length > 2)
        throw new DataProblem(
          `${column} is ${known?.type}: Delta widens one field of it at a time. Widen it at the source.`,
        );
      return statements;
    }
  }
}

/** Throws a DataProblem if the columns of the table have changed since the plan was made. */
export function requirePlannedColumns(
  table: TableName,
  now: readonly TableColumn[],
  expected: readonly TableColumn[],
): void {
  const shown = (columns: readonly TableColumn[]) =>
    JSON.stringify(columns.map(({ name, type }) => [name, type]));
  if (shown(now) === shown(expected)) return;
  throw new DataProblem(
    `The columns of ${fullName(table)} have changed since the plan was made. Nothing was changed. Plan it again.`,
  );
}
