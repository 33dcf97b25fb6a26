import {
  type AlterTableRequest,
  type AlterTableResult,
  type CatalogTable,
  DataProblem,
} from "@lakehelm/engine";
import { planDeltaAlteration, requirePlannedColumns } from "@lakehelm/engine/delta-alteration";
import { readTableName, sqlName } from "@lakehelm/sql/names";
import type { Cluster } from "../clusters.ts";
import { readTable, rowsOf } from "./catalog.ts";
import { setTags } from "./tags.ts";

/** A change of a column rewrites no rows. */
const statementMs = 60_000;

/** Plans a change of a column of a Delta table, and makes it if the request says what it expects. */
export async function alterTable(
  cluster: Cluster,
  { scope, table: text, changes, expected }: AlterTableRequest,
  signal: AbortSignal,
): Promise<AlterTableResult> {
  const name = readTableName(text, scope, "");
  if ("problem" in name) throw new DataProblem(name.problem);
  const [catalog, schema, table] = [name.catalog, name.schema, name.table].map((part) =>
    part.toLowerCase(),
  ) as [string, string, string];
  const place = { catalog, schema, table };
  const full = `${catalog}.${schema}.${table}`;
  const found = cluster.configuration.catalogs.includes(catalog)
    ? await cluster.read((session) => readTable(session, place, signal))
    : undefined;
  if (!found) throw new DataProblem(`There is no table ${full}.`);
  const before = found.columns.map((column) => ({ name: column.name, type: column.type }));
  const { result, statements } = planDeltaAlteration(place, before, changes);
  const run = (sql: string) =>
    cluster.read((session) => rowsOf(session, sql, AbortSignal.timeout(statementMs)));
  const [[format] = []] = await run(`DESCRIBE DETAIL ${sqlName(place)}`);
  if (format !== "delta")
    throw new DataProblem(`${full} is not a Delta table: its columns cannot be changed.`);
  if (!expected) return result;
  requirePlannedColumns(place, before, expected);
  signal.throwIfAborted();
  // A caller who disconnects does not stop the change halfway.
  for (const sql of statements) await run(sql);
  const isRenamed = result.columns.some((column) => column.name !== column.before.name);
  const hasTags = found.columns.some(({ tags }) => Object.keys(tags).length > 0);
  if (hasTags && (isRenamed || result.dropped.length > 0)) await run(setTags(alteredTable(found, result)));
  return result;
}

/** The altered table, with the tags of its columns by their new names. */
const alteredTable = (table: CatalogTable, { columns }: AlterTableResult): CatalogTable => ({
  ...table,
  columns: columns.flatMap(({ name, before }) =>
    table.columns.filter((one) => one.name === before.name).map((one) => ({ ...one, name })),
  ),
});
