import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Config } from "@lakehelm/contract/connections";
import { field } from "@lakehelm/contract/connections";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { withFileMutex } from "../../warehouse/file-mutex.ts";
import { isMemoryError } from "../../warehouse/memory-problem.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { checkThat, runChecks } from "../checks.ts";
import { requireOpened } from "../opened-file.ts";
import { readSourceSettings } from "../settings.ts";
import type { SourceContext } from "../source/context.ts";
import { findDataset } from "../source/dataset-lookup.ts";
import { type DefinedDataset, digest, mentioned } from "../source/definition.ts";
import type { ConnectorSource, KeySelection, ReadRequest } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { resolveDuckdbFile } from "./file.ts";

/** A table with its schema, and its description. */
interface DuckdbSourceTable {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly columns: DatasetDescription["columns"];
  readonly keys: readonly string[];
  readonly rows: number | null;
}

/** A DuckDB file, read by an external DuckDB instance. All types are kept, including nested ones. */
export async function openDuckdbSource(
  config: Config,
  context: Omit<SourceContext, "temporaryFolder">,
): Promise<ConnectorSource> {
  const path = readSourceSettings({ path: field.text() }, config, ({ path }) => path);
  const attach = (file: string) => `ATTACH ${literal(file)} AS source (READ_ONLY)`;

  // Another run of this process may be writing to the file. A file lock excludes only other processes, hence the mutex.
  const readTables = async (): Promise<DuckdbSourceTable[]> => {
    const file = await resolveDuckdbFile(path, context);
    return withFileMutex(file, () => inFile(file, tablesOf));
  };
  let known: readonly DuckdbSourceTable[] | undefined;
  /** Opening the file costs more than all other steps of a small import, so a run lists the tables once. */
  const tables = async (): Promise<readonly DuckdbSourceTable[]> => {
    known ??= await readTables();
    return known;
  };
  async function inFile<Result>(
    file: string,
    work: (connection: DuckDBConnection) => Promise<Result>,
  ): Promise<Result> {
    const { connection, close } = await context.openExternal({ databases: [file] });
    try {
      await connection.run(attach(file));
      requireOpened(file);
      return await work(connection);
    } catch (error) {
      throw fileProblem(path, error);
    } finally {
      close();
    }
  }
  const find = async (dataset: string) => findDataset(dataset, await tables(), path);
  return {
    check: (datasets) =>
      runChecks(
        checkThat(`can open ${path}`, tables),
        datasets.map((dataset) => checkThat(`can read ${dataset} in ${path}`, () => find(dataset))),
      ),
    discover: async () => (await tables()).map(describeTable),
    describe: async (dataset) => describeTable(await find(dataset)),
    async define(dataset) {
      const { schema, table } = await find(dataset);
      const file = await resolveDuckdbFile(path, context);
      const { dev, ino } = await stat(file, { bigint: true });
      const views = await withFileMutex(file, () => inFile(file, viewsOf));
      return definedByViews(`${dev}:${ino}`, views, `${schema}.${table}`);
    },
    readsByKeys: () => true,
    hasRowOrder: () => false,
    async read(request) {
      const select = selectOf(await find(request.dataset), request);
      // Views in the file refer to its tables without a database name, so it must be the default database.
      const file = await resolveDuckdbFile(path, context);
      const read = withFileMutex(file, () =>
        request.into.fromQuery({ databases: [file] }, select, {
          setup: [attach(file), "USE source"],
          afterSetup: () => requireOpened(file),
        }),
      );
      await read.catch((error: unknown) => {
        request.signal.throwIfAborted();
        throw fileProblem(path, error);
      });
    },
    async close() {},
  };
}

async function viewsOf(connection: DuckDBConnection): Promise<Map<string, string>> {
  const found = await connection.runAndReadAll(
    "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE database_name = 'source' AND NOT internal UNION ALL SELECT schema_name, function_name, coalesce(macro_definition, '') FROM duckdb_functions() WHERE database_name = 'source' AND NOT internal",
  );
  return new Map(found.getRowsJson().map(([schema, name, sql]) => [`${schema}.${name}`, String(sql)]));
}

/** Compares only views: nothing in a file shows that a table was dropped and created again. */
function definedByViews(file: string, views: ReadonlyMap<string, string>, name: string): DefinedDataset {
  const own = views.get(name);
  const definition = {
    file,
    view: own === undefined ? null : digest([own, ...mentioned(own, byName(views))]),
  };
  return {
    definition,
    compare(before) {
      if (before.file !== file) return { reason: "the file was replaced by another one" };
      return before.view === definition.view
        ? undefined
        : { reason: "its view, or one that it reads, has another definition" };
    },
  };
}

/** A view may mention another view with or without its schema. */
const byName = (views: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...views].map(([name, sql]) => [name.slice(name.indexOf(".") + 1), sql]));

const describeTable = ({ name, columns, keys, rows }: DuckdbSourceTable): DatasetDescription => ({
  name,
  columns,
  primary_keys: keys,
  watermark_candidates: watermarkCandidates(columns, keys),
  rows,
});

function selectOf(
  { schema, table, columns }: DuckdbSourceTable,
  request: Pick<ReadRequest, "columns" | "since" | "keys">,
): string {
  const names = request.columns.map(({ name }) => quote(name)).join(", ");
  const select = `SELECT ${names} FROM source.${quote(schema)}.${quote(table)}`;
  if (request.keys) return `${select} WHERE ${isAmong(request.keys)}`;
  const watermark = columns.find(({ name }) => name === request.since?.column);
  if (!request.since || !watermark) return select;
  const column = quote(watermark.name);
  const { value, before } = request.since;
  const typed = (text: string) => `CAST(${literal(text)} AS ${watermark.type})`;
  // A text column may have a collation, which no catalog of DuckDB shows. So it is unknown in which of the two orders
  // the texts grow, and both conditions apply.
  const compared = watermark.sourceOrder === "collation" ? `${column} COLLATE C` : column;
  const inOwnOrder = compared === column ? "" : ` OR ${column} >= ${typed(value)}`;
  return before === undefined
    ? `${select} WHERE ${compared} >= ${typed(value)}${inOwnOrder} OR ${column} IS NULL`
    : `${select} WHERE ${compared} >= ${typed(value)} AND ${compared} < ${typed(before)}`;
}

function isAmong({ columns, values }: KeySelection): string {
  const rows = values.map(
    (key) => `(${columns.map(({ type }, at) => `CAST(${literal(key[at] ?? "")} AS ${type})`).join(", ")})`,
  );
  const names = columns.map(({ name }) => quote(name)).join(", ");
  return `(${names}) IN (SELECT (${columns.map((_, at) => `k${at}`).join(", ")}) FROM (VALUES ${rows.join(", ")}) v(${columns.map((_, at) => `k${at}`).join(", ")}))`;
}

async function tablesOf(connection: DuckDBConnection): Promise<DuckdbSourceTable[]> {
  const found = await connection.runAndReadAll(`
    SELECT c.schema_name, c.table_name, t.estimated_size, list(struct_pack(
      "name" := c.column_name, "type" := c.data_type, nullable := c.is_nullable) ORDER BY c.column_index) AS columns,
      any_value(k.constraint_column_names) AS keys
    FROM duckdb_columns() c
    LEFT JOIN duckdb_tables() t USING (database_name, schema_name, table_name)
    LEFT JOIN duckdb_constraints() k ON k.constraint_type = 'PRIMARY KEY' AND k.database_name = c.database_name
      AND k.schema_name = c.schema_name AND k.table_name = c.table_name
    WHERE c.database_name = 'source' AND NOT c.internal AND c.table_name NOT LIKE '\\_lakehelm\\_%' ESCAPE '\\'
    GROUP BY ALL ORDER BY c.schema_name, c.table_name`);
  return found.getRowObjectsJson().map((row) => {
    const [schema, table] = [String(row.schema_name), String(row.table_name)];
    const columns = row.columns as { name: string; type: string; nullable: boolean }[];
    return {
      schema,
      table,
      name: schema === "main" ? table : `${schema}.${table}`,
      columns: columns.map(({ name, type, nullable }) => ({
        name,
        type: warehouseType(type),
        ...orderOf(type),
        origin: type,
        nullable,
      })),
      keys: (row.keys ?? []) as string[],
      rows: row.estimated_size === null ? null : Number(row.estimated_size),
    };
  });
}

/** An ENUM becomes text, because its values are defined in the source file. */
const warehouseType = (type: string): string =>
  type.startsWith("ENUM(") && !type.endsWith("]") ? "VARCHAR" : type;

/** An ENUM is ordered as its values were declared. */
function orderOf(type: string): Pick<WarehouseColumn, "sourceOrder"> {
  if (type === "VARCHAR") return { sourceOrder: "collation" };
  return warehouseType(type) === type ? {} : { sourceOrder: "other" };
}

function fileProblem(path: string, error: unknown): unknown {
  if (error instanceof DataProblem || !(error instanceof Error) || isMemoryError(error)) return error;
  const message = duckdbMessage(error);
  const [, other] =
    /Cannot access (?:file|directory) ("[^\n]*") - file system operations are disabled/.exec(message) ?? [];
  if (other !== undefined) {
    return new DataProblem(
      `${path} cannot be read: a view in it reads ${other}. A view of a connected database can read only its own tables.`,
      { cause: error },
    );
  }
  if (/Could not set lock/.test(message)) {
    return new DataProblem(`${path} is locked: another process is writing to it.`, {
      retryable: true,
      cause: error,
    });
  }
  return new DataProblem(`${path} cannot be read: ${message}`, { cause: error });
}
