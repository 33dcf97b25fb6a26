import type { DuckDBConnection } from "@duckdb/node-api";
import {
  decideFlowRun,
  type FlowRunDecision,
  type FlowRunOptions,
  type FlowShape,
  type FlowTargetFacts,
  foreignColumns,
  isSame,
  refusal,
  setTypeCommand,
} from "@lakehelm/contract/changes";
import { type ConsumptionFlow, type FlowColumn, targetColumns } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { databaseAlias, fullName, literal, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { countRows, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { portable } from "./portable-sql.ts";
import { readShape, writeShape } from "./target-record.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** A column of the target with its type in the warehouse. */
interface StoredColumn extends FlowColumn {
  readonly storedType: string;
}

/** What a flow finds in the warehouse. */
export interface FoundTarget {
  readonly facts: FlowTargetFacts;
  /** The shape of the flow that wrote the table; undefined if it was not recorded. */
  readonly before: FlowShape | undefined;
  readonly columns: readonly StoredColumn[];
}

export async function findTarget(
  connection: DuckDBConnection,
  { flow, target }: WarehouseFlow,
  hasCatalog = true,
): Promise<FoundTarget> {
  const columns = await storedColumns(connection, flow);
  const existing = hasCatalog ? await readColumns(connection, target) : undefined;
  if (!existing) return { columns, before: undefined, facts: { columns: null } };
  const differing = columns.flatMap((column) => {
    const known = existing.find((one) => sameName(one.name, column.name));
    return known && known.type !== column.storedType
      ? [`${column.name} is ${known.type} instead of ${column.storedType}`]
      : [];
  });
  const isEmpty = (await countRows(connection, `(SELECT 1 FROM ${sqlName(target)} LIMIT 1)`)) === 0;
  const facts = { columns: existing.map(({ name }) => name), differing, isEmpty };
  return { columns, before: await readShape(connection, target), facts };
}

/**
 * Creates the target, or changes its columns to those of the flow. A target that must be built again is left for
 * `rebuildTarget`. Throws a DataProblem that names the next step if none of these is allowed.
 */
export async function prepareTarget(
  connection: DuckDBConnection,
  warehouseFlow: WarehouseFlow,
  options: FlowRunOptions,
  log: RequestContext["log"],
): Promise<"create" | "alter" | "rebuild" | undefined> {
  const { flow, target, shape } = warehouseFlow;
  const found = await findTarget(connection, warehouseFlow);
  const decision = decideFlowRun(found.before, shape, found.facts, options);
  if (decision.action === "refuse") {
    const { sentence } = refusal(fullName(target), flow.name, decision, options);
    throw new DataProblem(`${sentence}${retypeHint(warehouseFlow, found, decision)}`);
  }
  // A run without changes writes nothing.
  if (!isSame(found.before, shape)) await writeShape(connection, target, shape);
  if (decision.action === "create") {
    await createTarget(connection, warehouseFlow, found.columns);
    return "create";
  }
  if (decision.action === "rebuild") {
    const why = decision.reasons.length > 0 ? `: ${decision.reasons.join("; ")}` : "";
    log("info", `building ${fullName(target)} again from its SELECT${why}.`);
    return "rebuild";
  }
  const foreign = foreignColumns(found.facts.columns ?? [], found.before, shape);
  if (!found.before && foreign.length > 0)
    log(
      "warn",
      `${fullName(target)} has columns that the flow does not write, and their values stay as they are: ${foreign.join(", ")}.`,
    );
  return (await alterTarget(connection, warehouseFlow, found, decision, log)) ? "alter" : undefined;
}

/** A line with the command that keeps the rows, if only column types differ. */
function retypeHint(
  { target: { catalog, schema, table }, shape }: WarehouseFlow,
  { facts }: FoundTarget,
  { reasons }: FlowRunDecision,
): string {
  const { differing = [] } = facts;
  if (differing.length === 0 || reasons.length > differing.length) return "";
  const types = Object.entries(shape.columns).filter(([name]) =>
    differing.some((reason) => reason.startsWith(`${name} is `)),
  );
  if (types.length !== differing.length) return "";
  const command = setTypeCommand(
    [catalog, schema, table],
    Object.fromEntries(types.map(([name, type]) => [name, type.toUpperCase()])),
  );
  return `\nTo keep the rows, if all of their values fit: ${command}`;
}

/**
 * Replaces the target by an empty table, and returns the number of its rows. Within the transaction that publishes its rows:
 * readers see the earlier table until then.
 */
export async function rebuildTarget(
  connection: DuckDBConnection,
  warehouseFlow: WarehouseFlow,
): Promise<number> {
  const { flow, target } = warehouseFlow;
  const removed = await countRows(connection, sqlName(target));
  const described = await comments(connection, target);
  await connection.run(`DROP TABLE ${sqlName(target)}`);
  await createTarget(connection, warehouseFlow, await storedColumns(connection, flow), described);
  return removed;
}

async function alterTarget(
  connection: DuckDBConnection,
  { target, flow }: WarehouseFlow,
  { columns }: FoundTarget,
  { add, drop }: FlowRunDecision,
  log: RequestContext["log"],
): Promise<boolean> {
  const name = sqlName(target);
  for (const column of drop) await connection.run(`ALTER TABLE ${name} DROP COLUMN ${quote(column)}`);
  if (drop.length > 0)
    log("info", `dropped ${drop.join(", ")} from ${fullName(target)}: the flow no longer has it.`);
  for (const column of columns.filter((one) => add.some((added) => sameName(added, one.name)))) {
    await connection.run(`ALTER TABLE ${name} ADD COLUMN ${declaration(column)}`);
    await describe(connection, name, column);
  }
  for (const column of await requiredColumns(connection, target)) {
    const wanted = targetColumns(flow).find((one) => sameName(one.name, column));
    if (wanted && !wanted.notNull)
      await connection.run(`ALTER TABLE ${name} ALTER COLUMN ${quote(column)} DROP NOT NULL`);
  }
  return drop.length + add.length > 0;
}

async function createTarget(
  connection: DuckDBConnection,
  { flow, target }: WarehouseFlow,
  columns: readonly StoredColumn[],
  /** Descriptions of the replaced table: they belong to the catalog's users. */
  described: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const name = sqlName(target);
  const declared = columns.map((column) => `${declaration(column)}${column.notNull ? " NOT NULL" : ""}`);
  await connection.run(`CREATE TABLE ${name} (${declared.join(", ")})`);
  const description = described.get("") ?? flow.description;
  if (description) await connection.run(`COMMENT ON TABLE ${name} IS ${literal(description)}`);
  for (const column of columns)
    await describe(connection, name, {
      ...column,
      description: described.get(column.name.toLowerCase()) ?? column.description,
    });
}

const declaration = ({ name, storedType }: StoredColumn): string => `${quote(name)} ${storedType}`;

/** Only for a new column: later, its description belongs to the catalog's users. */
async function describe(
  connection: DuckDBConnection,
  table: string,
  { name, description }: Pick<FlowColumn, "name" | "description">,
): Promise<void> {
  if (description === "") return;
  await connection.run(`COMMENT ON COLUMN ${table}.${quote(name)} IS ${literal(description)}`);
}

const inCatalog = ({ catalog, schema, table }: TableName): string =>
  `database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`;

/** The descriptions of a table's columns, and that of the table itself under the empty name. */
async function comments(
  connection: DuckDBConnection,
  target: TableName,
): Promise<ReadonlyMap<string, string>> {
  const found = await connection.runAndReadAll(
    `SELECT lower(column_name), comment FROM duckdb_columns() WHERE ${inCatalog(target)} AND comment IS NOT NULL
     UNION ALL SELECT '', comment FROM duckdb_tables() WHERE ${inCatalog(target)} AND comment IS NOT NULL`,
  );
  return new Map(found.getRowsJson().map(([name, text]) => [String(name), String(text)]));
}

async function requiredColumns(connection: DuckDBConnection, target: TableName): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT column_name FROM duckdb_columns() WHERE ${inCatalog(target)} AND NOT is_nullable`,
  );
  return found.getRowsJson().map(([name]) => String(name));
}

async function storedColumns(connection: DuckDBConnection, flow: ConsumptionFlow): Promise<StoredColumn[]> {
  const columns = targetColumns(flow);
  const nulls = columns.map(({ type }, at) => `CAST(NULL AS ${type.sql}) AS c${at}`);
  const described = await connection.runAndReadAll(`DESCRIBE ${portable(`SELECT ${nulls.join(", ")}`)}`);
  const types = described.getRowsJson().map(([, type]) => String(type));
  return columns.map((column, at) => ({ ...column, storedType: types[at] ?? "" }));
}
