import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "@lakehelm/contract/connections";
import { field } from "@lakehelm/contract/connections";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { checkThat, runChecks } from "../checks.ts";
import { readSourceSettings } from "../settings.ts";
import type { SourceContext } from "../source/context.ts";
import { findDataset } from "../source/dataset-lookup.ts";
import { instant } from "../source/instant.ts";
import type { ConnectorSource, ReadRequest, Since } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { openForeignSqlite, resolveSqliteFile } from "./file.ts";
import { sqliteProblem } from "./problem.ts";
import type { SqliteThreadInput } from "./source-thread.ts";
import { warehouseType, wireOf } from "./source-types.ts";
import { defineTable } from "./table-definition.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** A SQLite file. It is opened read-only, and only while it is read. */
export async function openSqliteSource(
  config: Config,
  context: Pick<SourceContext, "signal" | "resolvePath">,
): Promise<ConnectorSource> {
  const path = readSourceSettings({ path: field.text() }, config, ({ path }) => path);
  const tables = () => withDatabase(path, context, tableNames);
  const describe = async (dataset: string) => {
    const table = findDataset(dataset, await tables(), path);
    return withDatabase(path, context, (database) => describeTable(database, table.name));
  };
  return {
    check: (datasets) =>
      runChecks(
        checkThat(`can open ${path}`, tables),
        datasets.map((dataset) => checkThat(`can read ${dataset} in ${path}`, () => describe(dataset))),
      ),
    discover: () =>
      withDatabase(path, context, (database) =>
        tableNames(database).map(({ name }) => describeTable(database, name)),
      ),
    describe,
    async define(dataset) {
      const table = findDataset(dataset, await tables(), path);
      return withDatabase(path, context, (database, real) => defineTable(database, real, table.name));
    },
    readsByKeys: (columns) => columns.every(isStoredAsDeclared),
    hasRowOrder: () => false,
    async read(request) {
      const { name, columns } = await describe(request.dataset);
      await request.into.fromThread(
        thread,
        threadInput(await resolveSqliteFile(path, context), name, columns, request),
      );
    },
    async close() {},
  };
}

/** Reading the schema is fast, but a writer may hold the file. Waits for it without blocking the thread. */
async function withDatabase<Result>(
  path: string,
  context: Pick<SourceContext, "signal" | "resolvePath">,
  use: (database: DatabaseSync, real: string) => Result,
): Promise<Result> {
  const { signal } = context;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const real = await resolveSqliteFile(path, context);
    try {
      using database = openForeignSqlite(real, { readOnly: true, timeout: 0 });
      return use(database, real);
    } catch (error) {
      const problem = sqliteProblem(path, error);
      const isBusy = problem instanceof DataProblem && problem.retryable;
      if (!isBusy || attempt === 50) throw problem;
      await pause(100, undefined, { signal });
    }
  }
}

const tableNames = (database: DatabaseSync): { readonly name: string }[] =>
  database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') ORDER BY name",
    )
    .all()
    .map(({ name }) => ({ name: String(name) }))
    .filter(({ name }) => !name.startsWith("sqlite_") && !name.startsWith("_lakehelm_"));

function describeTable(database: DatabaseSync, table: string): DatasetDescription {
  const found = database.prepare("SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 1").all(table);
  const columns = found.map(({ name, type, notnull }) => ({
    ...columnOf(String(name), String(type)),
    nullable: notnull === 0,
  }));
  const keys = found
    .filter(({ pk }) => Number(pk) > 0)
    .sort((one, other) => Number(one.pk) - Number(other.pk))
    .map(({ name }) => String(name));
  return {
    name: table,
    columns,
    primary_keys: keys,
    watermark_candidates: watermarkCandidates(columns, keys),
    rows: null,
  };
}

function columnOf(name: string, declared: string): WarehouseColumn {
  const type = warehouseType(declared);
  const origin = declared || "no declared type";
  const wire = wireOf(type);
  const isNumericText = type === "VARCHAR" && /^(DECIMAL|NUMERIC|NUMBER)\b/i.test(declared.trim());
  // Without a type, or with one that SQLite does not know, a column has numbers, which SQLite orders before all texts.
  const order = type !== "VARCHAR" || isNumericText ? undefined : isText(declared) ? "collation" : "other";
  return {
    name,
    type,
    ...(wire && { wire }),
    ...(isNumericText && { isNumericText }),
    ...(order && { sourceOrder: order }),
    // A column can have the number 1, the text `1` and the byte `1`, which differ.
    ...(type !== "BIGINT" && type !== "DOUBLE" && { sourceEquality: "narrower" as const }),
    origin,
  };
}

/** SQLite's own rule for columns of text. */
const isText = (declared: string): boolean => /CHAR|CLOB|TEXT/i.test(declared);

function threadInput(
  path: string,
  table: string,
  known: readonly WarehouseColumn[],
  { columns, since, keys }: ReadRequest,
): SqliteThreadInput {
  const names = columns.map(({ name }) => quote(name));
  const watermark = known.find(({ name }) => name === since?.column);
  const from = `FROM ${quote(table)}`;
  if (keys) {
    const { columns: keyed, values } = keys;
    const rows = values.map(
      (key) =>
        `(${key.map((value, at) => (keyed[at]?.type === "BIGINT" ? BigInt(value) : literal(value))).join(", ")})`,
    );
    const where = ` WHERE (${keyed.map(({ name }) => quote(name)).join(", ")}) IN (VALUES ${rows.join(", ")})`;
    return {
      path,
      sql: `SELECT ${names.join(", ")} ${from}${where}`,
      parameters: [],
      columns,
      since: undefined,
    };
  }
  if (!since || !watermark) {
    return { path, sql: `SELECT ${names.join(", ")} ${from}`, parameters: [], columns, since: undefined };
  }
  const column = quote(watermark.name);
  const bounds = boundsOf(watermark, since);
  const isAbove = `${column} COLLATE BINARY >= ?1`;
  const where =
    bounds.length === 0
      ? ""
      : bounds.length === 1
        ? ` WHERE ${[isAbove, `${column} IS NULL`, ...othersAbove(watermark)].join(" OR ")}`
        : ` WHERE ${isAbove} AND ${column} COLLATE BINARY < ?2`;
  return {
    path,
    sql: `SELECT ${[...names, column].join(", ")} ${from}${where}`,
    parameters: bounds,
    columns,
    // A row that is greater in the column's collation may be less byte by byte, so such rows are not filtered again.
    since:
      watermark.sourceOrder === "collation"
        ? undefined
        : { ...since, type: watermark.isNumericText ? "DOUBLE" : watermark.type, at: names.length },
  };
}

/** SQL: rows that the bound does not find although they may be above the watermark. */
function othersAbove({ name, type, sourceOrder }: WarehouseColumn): string[] {
  const column = quote(name);
  if (sourceOrder === "collation") return [`${column} >= ?1`];
  // A number in a column of dates is no date, so its row is rejected. Years after 9999 have more digits.
  return /^(DATE|TIMESTAMP)/.test(type)
    ? [`typeof(${column}) <> 'text'`, `${column} NOT GLOB '[0-9][0-9][0-9][0-9]-*'`]
    : [];
}

/** Columns that are not declared as integers or text may store a value in several ways. */
const isStoredAsDeclared = ({ type, origin, isNumericText }: WarehouseColumn): boolean =>
  type === "BIGINT" || (type === "VARCHAR" && !isNumericText && isText(origin));

/** A lower bound for SQLite's filter, perhaps with an upper one. Empty if SQLite orders the values differently. */
function boundsOf(watermark: WarehouseColumn, { value, before }: Since): (string | number | bigint)[] {
  const lower = boundOf(watermark, value, -1);
  const upper = before === undefined ? undefined : boundOf(watermark, before, 2);
  return lower === undefined ? [] : upper === undefined ? [lower] : [lower, upper];
}

/**
 * The thread or the run filters exactly. Times are text in SQLite, with "T" or a blank, with or without offset: the day
 * before the watermark's day is less than all of them, and the second day after it greater.
 */
function boundOf(
  { type, origin, isNumericText }: WarehouseColumn,
  value: string,
  days: number,
): string | number | bigint | undefined {
  if (type === "BIGINT") return BigInt(value);
  if (type === "DOUBLE") return Number(value);
  // In a column that is not declared as text, numbers are less than any text.
  if (type === "VARCHAR") return !isNumericText && isText(origin) ? value : undefined;
  const time = /^(DATE|TIMESTAMP)/.test(type) ? instant(value) : undefined;
  const day = time && Date.parse(`${time.text.slice(0, 10)}T00:00:00Z`) + days * 86_400_000;
  return day === undefined ? undefined : new Date(day).toISOString().slice(0, 10);
}
