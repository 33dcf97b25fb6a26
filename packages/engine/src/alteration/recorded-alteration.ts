import type { DuckDBConnection } from "@duckdb/node-api";
import type { FlowShape } from "@lakehelm/contract/changes";
import { readShape, writeShape } from "../flows/target-record.ts";
import {
  isAbout,
  keptTypesTable,
  streamSettingsTable,
  tagsTable,
  textLengthsTable,
  writtenTablesTable,
} from "../warehouse/internal-tables.ts";
import { literal, type TableName } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { readVersion } from "../warehouse/table-version.ts";
import { isWidening } from "../warehouse/type-widening.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { changesInPlace, type StoredChange } from "./column-change.ts";

/**
 * The columns that the last run of each dataset wrote into the table; null if there was no run, or if it did not record
 * its columns.
 */
export async function importedColumns(
  connection: DuckDBConnection,
  table: TableName,
): Promise<readonly string[] | null> {
  const found = await connection.runAndReadAll(
    `SELECT s.columns FROM ${writtenTablesTable(table.catalog)} w LEFT JOIN ${streamSettingsTable(table.catalog)} s USING (stream) WHERE ${isAbout(table)}`,
  );
  const lists = found.getRowsJson().map(([text]): readonly string[] | undefined => {
    const stored = typeof text === "string" ? JSON.parse(text) : undefined;
    return Array.isArray(stored) ? stored : stored?.columns;
  });
  if (lists.length === 0 || lists.includes(undefined)) return null;
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** Changes all records that depend on the names and types of the table's columns, and its version. */
export async function recordAlteration(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  table: TableName,
  change: StoredChange,
  at: string,
): Promise<void> {
  const names = new Map<string, string | undefined>([
    ...change.dropped.map(({ name }) => [name.toLowerCase(), undefined] as const),
    ...change.columns.map(({ name, before }) => [before.name.toLowerCase(), name.toLowerCase()] as const),
  ]);
  await renameColumns(connection, tagsTable(table.catalog), table, names);
  await renameColumns(connection, keptTypesTable(table.catalog), table, names);
  const lengths = change.columns.map(
    ({ name, type, before }) => [before.name.toLowerCase(), type === before.type ? name : undefined] as const,
  );
  await renameColumns(connection, textLengthsTable(table.catalog), table, new Map([...names, ...lengths]));
  for (const { name, type, before } of change.columns) {
    if (type !== before.type) await recordType(connection, table, name, before.type, type);
  }
  const shape = await readShape(connection, table);
  if (shape) await writeShape(connection, table, alteredShape(shape, change));
  const before = await readVersion(connection, table);
  await warehouse.recordChange(connection, table, at, changesInPlace(change) ? "added" : "rewritten");
  // A dataset that had recorded the table before the change now records the changed table, so its next run finds no
  // change by others.
  const after = await readVersion(connection, table);
  await connection.run(
    `UPDATE ${writtenTablesTable(table.catalog)} SET version = ${after.version} WHERE ${isAbout(table)} AND version = ${before.version}`,
  );
}

type StoredType = StoredChange["columns"][number]["type"];

/** Renames in one statement, because columns may exchange their names. */
async function renameColumns(
  connection: DuckDBConnection,
  from: string,
  table: TableName,
  names: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const gone = [...names].flatMap(([name, next]) => (next === undefined ? [literal(name)] : []));
  if (gone.length > 0)
    await connection.run(
      `DELETE FROM ${from} WHERE ${isAbout(table)} AND lower("column") IN (${gone.join(", ")})`,
    );
  const others = [...names].flatMap(([name, next]) =>
    next === undefined || next === name ? [] : [`WHEN ${literal(name)} THEN ${literal(next)}`],
  );
  if (others.length > 0)
    await connection.run(
      `UPDATE ${from} SET "column" = CASE lower("column") ${others.join(" ")} ELSE "column" END WHERE ${isAbout(table)}`,
    );
}

/**
 * If the new type holds every value that the column had before it was first narrowed, the column follows the source
 * again.
 */
async function recordType(
  connection: DuckDBConnection,
  table: TableName,
  column: string,
  from: StoredType,
  to: StoredType,
): Promise<void> {
  const kept = keptTypesTable(table.catalog);
  const row = `${isAbout(table)} AND "column" = ${literal(column.toLowerCase())}`;
  const had = String((await scalar(connection, `SELECT had FROM ${kept} WHERE ${row}`)) ?? from.stored);
  await connection.run(`DELETE FROM ${kept} WHERE ${row}`);
  if (to.length === undefined && isWidening(had, to.stored)) return;
  const values = [table.schema, table.table, column.toLowerCase(), had].map(literal);
  await connection.run(`INSERT INTO ${kept} VALUES (${values.join(", ")})`);
}

/** The shape of the flow that wrote the table last, as if the flow had written the changed columns. */
function alteredShape(shape: FlowShape, { columns }: StoredChange): FlowShape {
  const find = (name: string) =>
    columns.find(({ before }) => before.name.toLowerCase() === name.toLowerCase());
  const nameOf = (name: string) => find(name)?.name ?? name;
  return {
    ...shape,
    keys: shape.keys.map(nameOf),
    sequence: shape.sequence === null ? null : nameOf(shape.sequence),
    columns: Object.fromEntries(
      Object.entries(shape.columns).flatMap(([name, type]) => {
        const column = find(name);
        if (!column) return [];
        const isSame = column.type === column.before.type;
        return [[column.name, isSame ? type : column.type.shown.toLowerCase().replaceAll(" ", "")]];
      }),
    ),
    added: shape.added.flatMap((name) => (find(name) ? [nameOf(name)] : [])),
  };
}
