import type { DuckDBConnection } from "@duckdb/node-api";
import type { PlainStatement } from "@lakehelm/sql/pipelines";
import { describedChange } from "../../protocol/metadata-changes.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { writeMetadata } from "../../warehouse/catalog/metadata.ts";
import { isAbout, tagsTable } from "../../warehouse/internal-tables.ts";
import { runMerge, runMergeBySource } from "../../warehouse/merge.ts";
import { databaseAlias, fullName, literal, quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { readOwner, removeOwner } from "../../warehouse/ownership.ts";
import { columnList, rowsChanged as counted, countRows } from "../../warehouse/relation.ts";
import {
  columnDeclaration,
  forgetTextLengths,
  keepTextLengths,
} from "../../warehouse/store-assignment/text-length.ts";
import { readColumns } from "../../warehouse/table-columns.ts";
import type { TableChange } from "../../warehouse/warehouse.ts";
import { substituteTables, type TableSubstitutes } from "../code/table-substitution.ts";
import { relationKind } from "../storage.ts";
import { writeChange } from "./change-sql.ts";
import { ownershipProblem } from "./ownership-check.ts";
import { dropStaged, sourceRows } from "./source-rows.ts";
import type { BoundStatement } from "./statement-binding.ts";

/** What a statement changed. */
export interface StatementEffect {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Null if the table did not change. */
  readonly change: TableChange | null;
}

const none: StatementEffect = { inserted: 0, updated: 0, deleted: 0, change: null };
const rewritten: StatementEffect = { ...none, change: "rewritten" };

type StatementMeaning<Verb extends PlainStatement["meaning"]["verb"]> = Extract<
  PlainStatement["meaning"],
  { verb: Verb }
>;

/**
 * Runs a plain statement within a transaction of the caller. The catalog of its table must exist. `pipeline` is empty for a
 * script.
 */
export async function runStatement(
  connection: DuckDBConnection,
  bound: BoundStatement,
  substitutes: TableSubstitutes,
  pipeline: string,
): Promise<StatementEffect> {
  const { meaning, table } = bound;
  if (meaning.verb === "create_schema") {
    await createSchema(connection, meaning.catalog.toLowerCase(), meaning.schema.toLowerCase());
    return none;
  }
  if (!table) throw new Error(`${meaning.verb} has no table.`);
  // Checked again, because a pipeline may have created the table since the statement was bound.
  const problem = ownershipProblem(table, await readOwner(connection, table), meaning.verb, pipeline);
  if (problem !== undefined) throw new DataProblem(problem);
  switch (meaning.verb) {
    case "create_table":
      return createTable(connection, table, meaning, bound, substitutes);
    case "drop_table":
    case "drop_view":
      return drop(connection, table, meaning);
    case "insert":
      return insert(connection, table, meaning, bound, await sqlOf(connection, bound, substitutes));
    case "truncate":
      return changed({ ...none, deleted: await counted(connection, `DELETE FROM ${sqlName(table)}`) });
    case "update":
    case "delete":
    case "merge":
      return runChange(connection, table, bound, substitutes);
    case "add_columns":
      for (const { name, type } of bound.columns)
        await connection.run(`ALTER TABLE ${sqlName(table)} ADD COLUMN ${quote(name)} ${type}`);
      await keepTextLengths(connection, table, bound.columns, { areAdded: true });
      await describeColumns(connection, table, meaning.columns);
      return { ...none, change: "added" };
    case "describe": {
      const kind = (await relationKind(connection, table)) ?? "table";
      await writeMetadata(connection, { ...table, columns: [], ...describedChange(meaning.change) }, kind);
      return none;
    }
    case "keep":
      return none;
  }
}

const changed = (effect: StatementEffect): StatementEffect => ({
  ...effect,
  change: effect.updated + effect.deleted > 0 ? "rewritten" : effect.inserted > 0 ? "added" : effect.change,
});

const sqlOf = (
  connection: DuckDBConnection,
  { sql }: BoundStatement,
  substitutes: TableSubstitutes,
): Promise<string> => substituteTables(connection, sql ?? "SELECT 1", substitutes);

const createSchema = (connection: DuckDBConnection, catalog: string, schema: string) =>
  connection.run(`CREATE SCHEMA IF NOT EXISTS ${quote(databaseAlias(catalog))}.${quote(schema)}`);

async function createTable(
  connection: DuckDBConnection,
  table: TableName,
  { orReplace, ifNotExists, columns, comment, clusterBy }: StatementMeaning<"create_table">,
  bound: BoundStatement,
  substitutes: TableSubstitutes,
): Promise<StatementEffect> {
  const kind = await relationKind(connection, table);
  if (kind && ifNotExists) return none;
  if (kind && !(orReplace && kind === "table")) {
    throw new DataProblem(`The ${kind} ${fullName(table)} already exists.`);
  }
  await createSchema(connection, table.catalog, table.schema);
  const name = sqlName(table);
  const declared = bound.columns.map((column) => {
    const notNull = columns.some((one) => one.name === column.name && one.notNull);
    return `${columnDeclaration(column)}${notNull ? " NOT NULL" : ""}`;
  });
  const query = bound.sql === null ? null : await sqlOf(connection, bound, substitutes);
  const source = query === null ? null : await sourceRows(connection, table, query);
  await connection.run(`CREATE OR REPLACE TABLE ${name} (${declared.join(", ")})`);
  await forgetTextLengths(connection, table);
  await keepTextLengths(connection, table, bound.columns, { areAdded: false });
  const order = clusterBy.length === 0 ? "" : ` ORDER BY ${clusterBy.map(quote).join(", ")}`;
  const inserted =
    source === null ? 0 : await counted(connection, `INSERT INTO ${name} SELECT * FROM ${source}${order}`);
  await dropStaged(connection);
  if (comment !== null) await connection.run(`COMMENT ON TABLE ${name} IS ${literal(comment)}`);
  await describeColumns(connection, table, columns);
  return { ...none, change: "recreated", inserted };
}

async function describeColumns(
  connection: DuckDBConnection,
  table: TableName,
  columns: StatementMeaning<"create_table">["columns"],
): Promise<void> {
  for (const { name, comment } of columns) {
    if (comment === null) continue;
    await connection.run(`COMMENT ON COLUMN ${sqlName(table)}.${quote(name)} IS ${literal(comment)}`);
  }
}

async function drop(
  connection: DuckDBConnection,
  table: TableName,
  { verb, ifExists }: StatementMeaning<"drop_table" | "drop_view">,
): Promise<StatementEffect> {
  const kind = await relationKind(connection, table);
  const expected = verb === "drop_view" ? "view" : "table";
  if (!kind && ifExists) return none;
  if (kind !== expected) throw new DataProblem(`There is no ${expected} ${fullName(table)}.`);
  const deleted = kind === "table" ? await countRows(connection, sqlName(table)) : 0;
  await connection.run(`DROP ${expected.toUpperCase()} ${sqlName(table)}`);
  await connection.run(`DELETE FROM ${tagsTable(table.catalog)} WHERE ${isAbout(table)}`);
  await forgetTextLengths(connection, table);
  await removeOwner(connection, table);
  return { ...rewritten, deleted };
}

async function insert(
  connection: DuckDBConnection,
  table: TableName,
  { overwrite }: StatementMeaning<"insert">,
  { columns }: BoundStatement,
  sql: string,
): Promise<StatementEffect> {
  const name = sqlName(table);
  const source = await sourceRows(connection, table, sql);
  const deleted = overwrite ? await counted(connection, `DELETE FROM ${name}`) : 0;
  const inserted = await counted(
    connection,
    `INSERT INTO ${name} (${columnList(columns)}) SELECT * FROM ${source}`,
  );
  await dropStaged(connection);
  const effect = changed({ ...none, inserted, deleted });
  return overwrite && effect.change ? { ...effect, change: "recreated" } : effect;
}

async function runChange(
  connection: DuckDBConnection,
  table: TableName,
  { change }: BoundStatement,
  substitutes: TableSubstitutes,
): Promise<StatementEffect> {
  if (!change || !(await readColumns(connection, table)))
    throw new DataProblem(`There is no table ${fullName(table)}.`);
  const sql = await writeChange(connection, table, change, substitutes);
  if (change.change.verb === "update") return changed({ ...none, updated: await counted(connection, sql) });
  if (change.change.verb === "delete") return changed({ ...none, deleted: await counted(connection, sql) });
  const updatesBySource = change.change.whens.some(
    ({ rows, action }) => rows === "not_matched_by_source" && action !== "delete",
  );
  const counts = updatesBySource
    ? await runMergeBySource(connection, sqlName(table), sql)
    : await runMerge(connection, sql);
  await dropStaged(connection);
  return changed({ ...none, ...counts });
}
