import type { DuckDBConnection } from "@duckdb/node-api";
import { pipelineRefreshAdvice } from "@lakehelm/contract/changes";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { databricksType } from "../../protocol/types.ts";
import { describeRetyped, retypeColumn } from "../../transfer/schema-change.ts";
import { databaseAlias, literal, quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { readColumns } from "../../warehouse/table-columns.ts";
import { isWidening, widerType } from "../../warehouse/type-widening.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { relationKind } from "../storage.ts";
import type { DatasetSources } from "./source-relations.ts";

/** Creates the empty table of a dataset, and drops a table or view with the same name. */
export async function createTable(
  connection: DuckDBConnection,
  { dataset, storage, columns }: BoundDataset,
): Promise<void> {
  if ((await relationKind(connection, storage)) === "view")
    await connection.run(`DROP VIEW ${sqlName(storage)}`);
  const declared = columns.map(({ name, type }) => {
    const notNull = dataset.declared.some((one) => one.notNull && sameName(one.name, name));
    return `${quote(name)} ${type}${notNull ? " NOT NULL" : ""}`;
  });
  await connection.run(`CREATE OR REPLACE TABLE ${sqlName(storage)} (${declared.join(", ")})`);
}

/** Whether the table has exactly these columns, in this order. */
export async function hasColumns(
  connection: DuckDBConnection,
  storage: TableName,
  columns: readonly WarehouseColumn[],
): Promise<boolean> {
  const existing = (await connection.runAndReadAll(`DESCRIBE ${sqlName(storage)}`)).getRowsJson();
  return (
    existing.length === columns.length &&
    existing.every(
      ([name, type], at) => sameName(String(name), columns[at]?.name ?? "") && type === columns[at]?.type,
    )
  );
}

/** Explains why a table cannot keep its rows: a column was removed, or changed its type to one that does not hold its values. */
export function columnProblem(
  existing: readonly WarehouseColumn[],
  { dataset, columns }: BoundDataset,
  pipeline: string,
): string | undefined {
  const advice = pipelineRefreshAdvice(pipeline, dataset.name);
  for (const { name, type } of existing) {
    const provided = columns.find((column) => sameName(column.name, name));
    if (!provided) return `No flow provides the column ${name} of ${dataset.name}. ${advice}`;
    if (isWidening(provided.type, type) || widerType(type, provided.type) === provided.type) continue;
    return `The type of the column ${name} of ${dataset.name} would change from ${databricksType(type)} to ${databricksType(provided.type)}. ${advice}`;
  }
  return undefined;
}

/**
 * Widens columns of a table that keeps its rows, and adds new ones. Returns whether it has changed. Throws a DataProblem if the
 * columns do not fit.
 */
export async function adaptColumns(
  { connection, pipeline, log }: DatasetSources,
  bound: BoundDataset,
): Promise<boolean> {
  const { storage, dataset, columns } = bound;
  const existing = (await readColumns(connection, storage)) ?? [];
  const problem = columnProblem(existing, bound, pipeline);
  if (problem !== undefined) throw new DataProblem(problem);
  const retype = existing.flatMap(({ name, type }) => {
    const provided = columns.find((column) => sameName(column.name, name));
    if (!provided || isWidening(provided.type, type)) return [];
    return [{ name, from: type, to: provided.type, origin: provided.type, isWider: true }];
  });
  for (const text of describeRetyped(storage, { retype })) log("info", `${text}.`);
  for (const column of retype)
    await retypeColumn(connection, storage, column, pipelineRefreshAdvice(pipeline, dataset.name));
  const added = columns.filter(({ name }) => !existing.some((column) => sameName(column.name, name)));
  for (const { name, type } of added)
    await connection.run(`ALTER TABLE ${sqlName(storage)} ADD COLUMN ${quote(name)} ${type}`);
  return retype.length + added.length > 0;
}

/** Writes the comments that the author declares, if they changed. Other comments are left alone. */
export async function describeTable(
  connection: DuckDBConnection,
  { dataset, storage }: BoundDataset,
): Promise<void> {
  const { catalog, schema, table } = storage;
  const at = `database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)}`;
  const kind = dataset.kind === "view" ? "view" : "table";
  if (dataset.comment !== null) {
    const found = await connection.runAndReadAll(
      `SELECT comment FROM duckdb_${kind}s() WHERE ${at} AND ${kind}_name = ${literal(table)}`,
    );
    if (found.getRowsJson()[0]?.[0] !== dataset.comment)
      await connection.run(
        `COMMENT ON ${kind.toUpperCase()} ${sqlName(storage)} IS ${literal(dataset.comment)}`,
      );
  }
  const described = dataset.declared.filter(({ comment }) => comment !== null);
  if (described.length === 0) return;
  const found = await connection.runAndReadAll(
    `SELECT column_name, comment FROM duckdb_columns() WHERE ${at} AND table_name = ${literal(table)}`,
  );
  const known = new Map(found.getRowsJson().map(([name, comment]) => [String(name).toLowerCase(), comment]));
  for (const { name, comment } of described) {
    if (comment === null || known.get(name.toLowerCase()) === comment) continue;
    await connection.run(`COMMENT ON COLUMN ${sqlName(storage)}.${quote(name)} IS ${literal(comment)}`);
  }
}
