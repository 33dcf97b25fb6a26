import type { DuckDBConnection } from "@duckdb/node-api";
import { type ConsumptionFlow, type FlowColumn, targetColumns } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { fullName, literal, quote, sqlName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import type { FlowTables } from "./flow-tables.ts";
import { portable } from "./portable-sql.ts";

/** A column of the target in the type that the warehouse keeps. */
interface StoredColumn extends FlowColumn {
  readonly kept: string;
}

/** Makes the target, or adds the columns that are new in the flow. Answers what was to be done, if anything was. */
export async function prepareTarget(
  connection: DuckDBConnection,
  { flow, target }: FlowTables,
): Promise<"made" | "widened" | undefined> {
  const columns = await storedColumns(connection, flow);
  const there = await readColumns(connection, target);
  const name = sqlName(target);
  if (!there) {
    const declared = columns.map((column) => `${declaration(column)}${column.notNull ? " NOT NULL" : ""}`);
    await connection.run(`CREATE TABLE ${name} (${declared.join(", ")})`);
    if (flow.description) await connection.run(`COMMENT ON TABLE ${name} IS ${literal(flow.description)}`);
    for (const column of columns) await describe(connection, name, column);
    return "made";
  }
  const isNew = ({ name }: FlowColumn) => !there.some((known) => sameName(known.name, name));
  const wrong = columns.flatMap((column) => {
    const known = there.find((one) => sameName(one.name, column.name));
    if (known)
      return known.type === column.kept ? [] : [`${column.name} is ${known.type} and not ${column.kept}`];
    return mayBeAdded(flow, column) ? [] : [`${column.name} is missing`];
  });
  if (wrong.length > 0) {
    throw new DataProblem(`${fullName(target)} has other columns than the flow makes: ${wrong.join("; ")}.`);
  }
  const added = columns.filter(isNew);
  for (const column of added) {
    await connection.run(`ALTER TABLE ${name} ADD COLUMN ${declaration(column)}`);
    await describe(connection, name, column);
  }
  return added.length > 0 ? "widened" : undefined;
}

/** Rows that are there have no value for it: so it can be neither a key nor one that the flow makes itself. */
const mayBeAdded = ({ columns }: ConsumptionFlow, { name }: FlowColumn): boolean =>
  columns.some((column) => column.name === name && !column.isKey);

const declaration = ({ name, kept }: StoredColumn): string => `${quote(name)} ${kept}`;

/** Only when a column is made: afterwards its description belongs to whoever changes it. */
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
  return columns.map((column, at) => ({ ...column, kept: types[at] ?? "" }));
}
