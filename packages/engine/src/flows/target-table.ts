import type { DuckDBConnection } from "@duckdb/node-api";
import { type ConsumptionFlow, type FlowColumn, targetColumns } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { fullName, literal, quote, sqlName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { portable } from "./portable-sql.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** A column of the target with its type in the warehouse. */
interface StoredColumn extends FlowColumn {
  readonly storedType: string;
}

/** Throws a DataProblem if the target exists with other columns than the flow's. */
export async function requireMatchingTarget(
  connection: DuckDBConnection,
  { flow, target }: WarehouseFlow,
): Promise<{
  readonly columns: readonly StoredColumn[];
  readonly added: readonly StoredColumn[] | undefined;
}> {
  const columns = await storedColumns(connection, flow);
  const existing = await readColumns(connection, target);
  if (!existing) return { columns, added: undefined };
  const mismatches = columns.flatMap((column) => {
    const known = existing.find((one) => sameName(one.name, column.name));
    if (known)
      return known.type === column.storedType
        ? []
        : [`${column.name} is ${known.type} instead of ${column.storedType}`];
    return mayBeAdded(flow, column) ? [] : [`${column.name} is missing`];
  });
  if (mismatches.length > 0) {
    throw new DataProblem(
      `The columns of ${fullName(target)} do not match the flow: ${mismatches.join("; ")}.`,
    );
  }
  const isNew = ({ name }: FlowColumn) => !existing.some((known) => sameName(known.name, name));
  return { columns, added: columns.filter(isNew) };
}

/** Creates the target, or adds the columns that are new in the flow. Returns what it did, if anything. */
export async function prepareTarget(
  connection: DuckDBConnection,
  warehouseFlow: WarehouseFlow,
): Promise<"created" | "widened" | undefined> {
  const { flow, target } = warehouseFlow;
  const { columns, added } = await requireMatchingTarget(connection, warehouseFlow);
  const name = sqlName(target);
  if (!added) {
    const declared = columns.map((column) => `${declaration(column)}${column.notNull ? " NOT NULL" : ""}`);
    await connection.run(`CREATE TABLE ${name} (${declared.join(", ")})`);
    if (flow.description) await connection.run(`COMMENT ON TABLE ${name} IS ${literal(flow.description)}`);
    for (const column of columns) await describe(connection, name, column);
    return "created";
  }
  for (const column of added) {
    await connection.run(`ALTER TABLE ${name} ADD COLUMN ${declaration(column)}`);
    await describe(connection, name, column);
  }
  return added.length > 0 ? "widened" : undefined;
}

/** Existing rows have no value for a new column, so it can be neither a key nor computed by the flow itself. */
const mayBeAdded = ({ columns }: ConsumptionFlow, { name }: FlowColumn): boolean =>
  columns.some((column) => column.name === name && !column.isKey);

const declaration = ({ name, storedType }: StoredColumn): string => `${quote(name)} ${storedType}`;

/** Only for a new column: afterwards its description belongs to the catalog's users. */
async function describe(
  connection: DuckDBConnection,
  table: string,
  { name, description }: FlowColumn,
): Promise<void> {
  if (description === "") return;
  await connection.run(`COMMENT ON COLUMN ${table}.${quote(name)} IS ${literal(description)}`);
}

async function storedColumns(connection: DuckDBConnection, flow: ConsumptionFlow): Promise<StoredColumn[]> {
  const columns = targetColumns(flow);
  const nulls = columns.map(({ type }, at) => `CAST(NULL AS ${type.sql}) AS c${at}`);
  const described = await connection.runAndReadAll(`DESCRIBE ${portable(`SELECT ${nulls.join(", ")}`)}`);
  const types = described.getRowsJson().map(([, type]) => String(type));
  return columns.map((column, at) => ({ ...column, storedType: types[at] ?? "" }));
}
