import type { DuckDBConnection } from "@duckdb/node-api";
import { field } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { withFileMutex } from "../../warehouse/file-mutex.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { readSourceSettings } from "../settings.ts";
import { runChecks } from "../source/checks.ts";
import type { ConnectorConfig, SourceContext } from "../source/context.ts";
import type { ConnectorSource, ReadRequest } from "../source/source.ts";
import { pickDataset, watermarkCandidates } from "../source/watermark-candidates.ts";

/** A table with its two names, and what is offered of it. */
interface DuckdbSourceTable {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly columns: DatasetDescription["columns"];
  readonly keys: readonly string[];
  readonly rows: number | null;
}

/** A DuckDB file, read by a DuckDB of its own: types, nested ones too, come as they are. */
export async function openDuckdbSource(
  config: ConnectorConfig,
  context: SourceContext,
): Promise<ConnectorSource> {
  const path = readSourceSettings({ path: field.text() }, config, ({ path }) => path);
  const attach = `ATTACH ${literal(path)} AS source (READ_ONLY)`;

  // A run of this process may be writing to it, and that no lock tells.
  const tables = (): Promise<DuckdbSourceTable[]> => withFileMutex(path, tablesNow);
  async function tablesNow(): Promise<DuckdbSourceTable[]> {
    const { connection, close } = await context.openExternal();
    try {
      await connection.run(attach);
      return await tablesOf(connection);
    } catch (error) {
      throw fileProblem(path, error);
    } finally {
      close();
    }
  }
  const find = async (dataset: string) => pickDataset(dataset, await tables(), path);
  return {
    check: (datasets) =>
      runChecks(
        { sentence: `can open ${path}`, run: tables },
        datasets.map((dataset) => ({ sentence: `can read ${dataset} in ${path}`, run: () => find(dataset) })),
      ),
    discover: async () => (await tables()).map(offered),
    describe: async (dataset) => offered(await find(dataset)),
    async read(reading) {
      const select = selectOf(await find(reading.dataset), reading);
      // Views of the file name its tables as if there were no other database.
      const taken = withFileMutex(path, () => reading.into.fromQuery(select, [attach, "USE source"]));
      await taken.catch((error: unknown) => {
        reading.signal.throwIfAborted();
        throw fileProblem(path, error);
      });
    },
    async close() {},
  };
}

const offered = ({ name, columns, keys, rows }: DuckdbSourceTable): DatasetDescription => ({
  name,
  columns,
  primary_keys: keys,
  watermark_candidates: watermarkCandidates(columns, keys),
  rows,
});

function selectOf(
  { schema, table, columns }: DuckdbSourceTable,
  reading: Pick<ReadRequest, "columns" | "since">,
): string {
  const names = reading.columns.map(({ name }) => quote(name)).join(", ");
  const select = `SELECT ${names} FROM source.${quote(schema)}.${quote(table)}`;
  const marked = columns.find(({ name }) => name === reading.since?.column);
  if (!reading.since || !marked) return select;
  const column = quote(marked.name);
  return `${select} WHERE ${column} >= CAST(${literal(reading.since.value)} AS ${marked.type}) OR ${column} IS NULL`;
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
        type: keptType(type),
        origin: type,
        nullable,
      })),
      keys: (row.keys ?? []) as string[],
      rows: row.estimated_size === null ? null : Number(row.estimated_size),
    };
  });
}

/** The list of an ENUM belongs to the other file. */
const keptType = (type: string): string =>
  type.startsWith("ENUM(") && !type.endsWith("]") ? "VARCHAR" : type;

function fileProblem(path: string, error: unknown): unknown {
  if (error instanceof DataProblem || !(error instanceof Error)) return error;
  const told = duckdbMessage(error);
  if (/Could not set lock/.test(told)) {
    return new DataProblem(
      `${path}: another process is writing to it, and DuckDB lets nobody read meanwhile.`,
      {
        retryable: true,
        cause: error,
      },
    );
  }
  return new DataProblem(`${path} cannot be read: ${told}`, { cause: error });
}
