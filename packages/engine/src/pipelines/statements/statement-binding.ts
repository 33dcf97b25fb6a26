import type { FileLocation, PlainMeaning, PlainStatement } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { parseDatabricksType } from "../../protocol/types.ts";
import { sqlName, type TableName } from "../../warehouse/names.ts";
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
    case "insert": {
      const query = await bindQuery(binder, statement, meaning.select);
      return { ...none, sql: query.sql, columns: query.columns };
    }
    case "add_columns": {
      const columns = meaning.columns.map(({ name, type }) => storedColumn(binder, name, type, location));
      await binder.addTable(table, [
        ...(await binder.columnsOf(`SELECT * FROM ${sqlName(table)}`)),
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
