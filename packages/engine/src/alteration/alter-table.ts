import type { DuckDBConnection } from "@duckdb/node-api";
import { alterColumns, isReordered, type TableChange } from "@lakehelm/contract/changes";
import { counted, verbFor } from "@lakehelm/contract/text";
import type { AlterTableRequest, AlterTableResult } from "../protocol/alteration.ts";
import { DataProblem } from "../protocol/problem.ts";
import { requirePlannedColumns } from "../transfer/cluster/alteration.ts";
import { castProblem, fittingValue } from "../transfer/fitting-value.ts";
import { fullName, parseTableName, quote, sqlName, type TableName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { requireTable } from "../warehouse/table-columns.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { isWidening, widerType } from "../warehouse/type-widening.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { changeColumns, changesInPlace, type StoredChange } from "./column-change.ts";
import { importedColumns, recordAlteration } from "./recorded-alteration.ts";
import { readStoredColumns, readType, type StoredType } from "./stored-table.ts";
import { findBrokenViews } from "./views.ts";

/** Plans the changes, and makes all of them in one transaction if the table is what the request expects. */
export async function alterTable(
  warehouse: Warehouse,
  { scope, table: text, changes, expected }: AlterTableRequest,
  context: Pick<RequestContext, "signal" | "now" | "crashPoint">,
): Promise<AlterTableResult> {
  const table = parseTableName(text, scope);
  if (!warehouse.catalogs.includes(table.catalog)) await requireTable(warehouse, table);
  if (!expected) return plannedOnly(warehouse, table, changes, context);
  return inTransaction(warehouse, context.signal, async (connection) => {
    const { result, stored } = await planChanges(connection, table, changes);
    requirePlannedColumns(table, result.before, expected);
    const unfit = result.columns.find((column) => column.unfit > 0);
    if (unfit)
      throw new DataProblem(
        `${counted(unfit.unfit, "row")} of ${fullName(table)} ${verbFor(unfit.unfit, "has", "have")} a ${unfit.before.name} that does not fit ${unfit.type}. Nothing was changed.`,
      );
    await changeColumns(connection, table, stored);
    context.crashPoint("altered");
    await recordAlteration(warehouse, connection, table, stored, context.now());
    context.crashPoint("recorded");
    return result;
  });
}

/** Plans in a transaction that is rolled back: views are tried on an empty table with the new columns. */
async function plannedOnly(
  warehouse: Warehouse,
  table: TableName,
  changes: readonly TableChange[],
  { signal }: Pick<RequestContext, "signal">,
): Promise<AlterTableResult> {
  const connection = await warehouse.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    await connection.run("BEGIN");
    const { result, stored } = await planChanges(connection, table, changes);
    return { ...result, brokenViews: await findBrokenViews(warehouse, connection, table, stored) };
  } finally {
    signal.removeEventListener("abort", interrupt);
    // Closing the connection rolls back.
    connection.closeSync();
  }
}

interface Plan {
  readonly result: AlterTableResult;
  readonly stored: StoredChange;
}

async function planChanges(
  connection: DuckDBConnection,
  table: TableName,
  changes: readonly TableChange[],
): Promise<Plan> {
  const existing = await readStoredColumns(connection, table);
  const before = existing.map(({ name, type }) => ({ name, type: type.shown }));
  const types = new Map(existing.map(({ type }) => [type.shown, type]));
  const normal: TableChange[] = [];
  for (const change of changes) {
    if (change.change !== "set_type") {
      normal.push(change);
      continue;
    }
    const type = await readType(connection, change.type);
    types.set(type.shown, type);
    normal.push({ ...change, type: type.shown });
  }
  const altered = alterColumns(fullName(table), before, normal);
  if ("problem" in altered) throw new DataProblem(altered.problem);
  const columns = altered.columns.map((column) => {
    const known = existing.find(({ name }) => name === column.before.name);
    if (!known) throw new Error(`${column.before.name} is not a column of ${fullName(table)}`);
    // Types that Databricks does not have are shown as other types, so a column keeps its own type unless the request
    // sets it.
    const type = column.type === column.before.type ? known.type : (types.get(column.type) ?? known.type);
    return { name: column.name, before: known, type, value: valueIn(known.name, known.type, type) };
  });
  const stored: StoredChange = {
    columns,
    dropped: existing.filter(({ name }) => altered.dropped.some((one) => one.name === name)),
    isReordered: isReordered(altered, before),
  };
  const unfit = await countUnfit(connection, table, stored);
  return {
    stored,
    result: {
      ...{ before, dropped: altered.dropped, brokenViews: [] },
      name: [table.catalog, table.schema, table.table],
      columns: altered.columns.map((column, at) => {
        const { before: known, type } = columns[at] as StoredChange["columns"][number];
        return { ...column, ...widening(known.type, type), unfit: unfit.get(column.name) ?? 0 };
      }),
      imported: await importedColumns(connection, table),
      remarks: changesInPlace(stored)
        ? []
        : [
            `All rows of ${fullName(table)} are written again. A pipeline that reads the table as a stream needs a full refresh afterwards.`,
          ],
    },
  };
}

/** SQL: the value in the new type; NULL if it does not fit. */
function valueIn(column: string, from: StoredType, to: StoredType): string {
  const isSame = from.stored === to.stored && (to.length === undefined || to.shown === from.shown);
  return isSame ? quote(column) : fittingValue(quote(column), from.stored, to.stored, to.length);
}

function widening(from: StoredType, to: StoredType): { holdsAll: boolean; widens: boolean } {
  const isText = from.stored === "VARCHAR" && to.stored === "VARCHAR";
  const isLonger =
    to.length === undefined ||
    (from.length?.isChar === to.length.isChar && from.length.characters <= to.length.characters);
  return {
    holdsAll: isLonger && (isText || isWidening(from.stored, to.stored)),
    widens: isLonger && widerType(from.stored, to.stored) === to.stored,
  };
}

async function countUnfit(
  connection: DuckDBConnection,
  table: TableName,
  { columns }: StoredChange,
): Promise<ReadonlyMap<string, number>> {
  const cast = columns.filter(({ value, before }) => value !== quote(before.name));
  const counts: string[] = [];
  for (const { value, before, type } of cast) {
    const fails = (why: string, cause?: unknown) =>
      new DataProblem(`${before.name} is ${before.type.shown}, which cannot become ${type.shown}: ${why}.`, {
        cause,
      });
    const problem = castProblem(before.type.stored, type.stored);
    if (problem !== undefined) throw fails(problem);
    await connection.run(`SELECT ${value} FROM ${sqlName(table)} LIMIT 0`).catch((cause) => {
      throw fails("there is no such conversion", cause);
    });
    counts.push(`count(*) FILTER (${quote(before.name)} IS NOT NULL AND ${value} IS NULL)`);
  }
  if (counts.length === 0) return new Map();
  const [row = []] = (
    await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM ${sqlName(table)}`)
  ).getRowsJson();
  return new Map(cast.map(({ name }, at) => [name, Number(row[at])]));
}
