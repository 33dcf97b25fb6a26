import { counted } from "@lakehelm/contract/text";
import type { FileLocation, PlainMeaning, PlainStatement } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { parseDatabricksType } from "../../protocol/types.ts";
import { fullName, quote, type TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { type Binder, BindingFailed } from "../code/binder.ts";
import { type BoundChange, bindChange } from "./change-binding.ts";
import { ownershipProblem } from "./ownership-check.ts";

/** A plain statement, ready to run: its query in DuckDB's dialect, its columns in DuckDB's types. */
export interface BoundStatement {
  readonly meaning: PlainMeaning;
  /** Null if the statement is about a schema. */
  readonly table: TableName | null;
  readonly sql: string | null;
  readonly columns: readonly WarehouseColumn[];
  readonly change: BoundChange | null;
}

/** Binds a statement. The following texts can read what it creates. */
export async function bindStatement(binder: Binder, statement: PlainStatement): Promise<BoundStatement> {
  const { meaning, location } = statement;
  if (meaning.verb === "create_schema") {
    binder.warehouseName({ ...meaning, table: "any" }, location);
    return { meaning, table: null, sql: null, columns: [], change: null };
  }
  const table = binder.warehouseName(meaning.table, location);
  requireFree(binder, table, meaning.verb, location);
  const none = { meaning, table, sql: null, columns: [], change: null };
  switch (meaning.verb) {
    case "create_table": {
      const query = meaning.select === null ? undefined : await bindQuery(binder, statement, meaning.select);
      const columns =
        query?.columns ?? meaning.columns.map(({ name, type }) => storedColumn(binder, name, type, location));
      const isKept = meaning.ifNotExists && binder.context.snapshot.kindOf(table) !== undefined;
      if (!isKept) await binder.addTable(table, columns);
      return { ...none, sql: query?.sql ?? null, columns };
    }
    case "insert":
      return { ...none, ...(await bindInsert(binder, table, meaning, statement)) };
    case "add_columns": {
      const columns = meaning.columns.map(({ name, type }) => storedColumn(binder, name, type, location));
      const existing = await binder.assignedColumns(table);
      await binder.addTable(table, [
        ...existing.map(({ name, type, declared }) => ({ name, type, origin: declared ?? type })),
        ...columns,
      ]);
      return { ...none, columns };
    }
    case "update":
    case "delete":
    case "merge":
      return { ...none, change: await bindChange(binder, table, statement) };
    default:
      return none;
  }
}

/** The rows of an INSERT, as they are stored, and the columns that they are written into. */
async function bindInsert(
  binder: Binder,
  table: TableName,
  { select, byName, columns: listed }: Extract<PlainMeaning, { verb: "insert" }>,
  statement: PlainStatement,
): Promise<Pick<BoundStatement, "sql" | "columns">> {
  const query = await bindQuery(binder, statement, select);
  const existing = await binder.assignedColumns(table);
  const wanted = byName
    ? query.columns.map(({ name }) => name)
    : (listed ?? existing.map(({ name }) => name));
  const targets = wanted.flatMap((name) => existing.find((column) => sameName(column.name, name)) ?? []);
  if (targets.length !== query.columns.length) {
    const needed = `${fullName(table)} needs ${counted(targets.length, "column")} here, but the query has ${query.columns.length}.`;
    binder.addProblem(statement.location, needed);
    throw new BindingFailed();
  }
  const types = await binder.typesOf(query.sql, targets.length);
  const rules = { structs: byName ? "by name" : "by position" } as const;
  const values = targets.map((column, at) => {
    const assigned = binder.assigned(`q.c${at}`, types[at] ?? "", column, rules, statement.location);
    return `${assigned} AS ${quote(column.name)}`;
  });
  const names = targets.map((_, at) => `c${at}`);
  return {
    sql: `SELECT ${values.join(", ")} FROM (${query.sql}) AS q(${names.join(", ")})`,
    columns: targets.map(({ name, type }) => ({ name, type, origin: type })),
  };
}

const bindQuery = (binder: Binder, { sql, defaults, segments, location }: PlainStatement, select: string) => {
  // The query is the end of the statement. With spaces before it, every position in it stays the same.
  const rest = sql.slice(0, sql.length - select.length).replace(/[^\r\n]/g, " ");
  return binder.bind({ sql: rest + select, defaults, segments, location });
};

function requireFree(
  binder: Binder,
  table: TableName,
  verb: PlainMeaning["verb"],
  location: FileLocation,
): void {
  const problem = ownershipProblem(table, binder.context.snapshot.ownerOf(table), verb, binder.pipeline);
  if (problem === undefined) return;
  binder.addProblem(location, problem);
  throw new BindingFailed();
}

function storedColumn(
  binder: Binder,
  name: string,
  type: string | null,
  location: FileLocation,
): WarehouseColumn {
  const known = type === null ? undefined : parseDatabricksType(type);
  if (known !== undefined) return { name, type: known, origin: type ?? known };
  const message =
    type === null
      ? `the column ${name} has no type.`
      : `the column ${name} has the type ${type}, which the warehouse does not support.`;
  binder.addProblem(location, message);
  throw new BindingFailed();
}
