import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { runChecks } from "../source/checks.ts";
import type { ConnectorConfig, SourceContext } from "../source/context.ts";
import type { ConnectorSource, ReadRequest } from "../source/source.ts";
import { pickDataset, watermarkCandidates } from "../source/watermark-candidates.ts";
import { listMysqlTables, type MysqlSourceTable } from "./catalog.ts";
import {
  connectMysql,
  type MysqlSettings,
  mysqlProblem,
  readMysqlSettings,
  serverAddress,
} from "./session.ts";
import type { MysqlReading } from "./source-thread.ts";
import { backquoted, columnOf, expressionOf, type MysqlColumn } from "./source-types.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** A database of MySQL or MariaDB. */
export async function openMysqlSource(
  config: ConnectorConfig,
  { signal }: Pick<SourceContext, "signal">,
): Promise<ConnectorSource> {
  const settings = readMysqlSettings(config);
  let opened: Promise<mysql.Connection> | undefined;

  async function ask<Result>(question: (connection: mysql.Connection) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    opened ??= connectMysql(settings);
    const connection = await opened;
    return question(connection).catch((error: unknown) => {
      throw mysqlProblem(settings, error);
    });
  }

  async function find(dataset: string): Promise<MysqlSourceTable> {
    const [schema, table] = namesOf(dataset, settings.schema);
    const tables = await ask((connection) => listMysqlTables(connection, schema));
    return pickDataset(table, tables, `${schema} at ${serverAddress(settings)}`);
  }
  const describe = async (dataset: string) => offered(await find(dataset), settings);

  return {
    check: (datasets) =>
      runChecks(
        { sentence: connected(settings), run: () => ask(async () => {}) },
        datasets.map((dataset) => ({
          sentence: `can read ${dataset} in ${settings.schema}`,
          run: async () => {
            const { schema, name } = await find(dataset);
            await ask((connection) =>
              connection.query(`SELECT 1 FROM ${backquoted(schema)}.${backquoted(name)} LIMIT 0`),
            );
          },
        })),
      ),
    async discover() {
      const tables = await ask((connection) => listMysqlTables(connection, settings.schema));
      return tables.map((table) => offered(table, settings));
    },
    describe,
    async read(reading) {
      await reading.into.fromThread(thread, readingOf(settings, await find(reading.dataset), reading));
    },
    async close() {
      const connection = await opened?.catch(() => undefined);
      connection?.destroy();
    },
  };
}

const connected = (settings: MysqlSettings) =>
  `can connect to ${settings.database} at ${serverAddress(settings)} as ${settings.user ?? "nobody"}`;

/** `table` or `database.table`, a part in backticks where it holds a dot. */
function namesOf(dataset: string, schema: string): [schema: string, table: string] {
  const parts = dataset.match(/^(?:(`(?:[^`]|``)+`|[^.`]+)\.)?(`(?:[^`]|``)+`|[^.`]+)$/);
  if (!parts) {
    throw new DataProblem(
      `${JSON.stringify(dataset)} is not the name of a table: expected table or database.table, a part in backticks if need be.`,
    );
  }
  const bare = (part: string) => (part.startsWith("`") ? part.slice(1, -1).replaceAll("``", "`") : part);
  return [bare(parts[1] ?? backquoted(schema)), bare(parts[2] ?? "")];
}

function offered(
  { name, columns, keys, rows }: MysqlSourceTable,
  { tinyIntIsBoolean }: MysqlSettings,
): DatasetDescription {
  const kept = columns.map((column) => ({
    ...columnOf(column, tinyIntIsBoolean),
    nullable: column.nullable,
  }));
  return {
    name: /[.`]/.test(name) ? backquoted(name) : name,
    columns: kept,
    primary_keys: keys,
    watermark_candidates: watermarkCandidates(kept, keys),
    rows,
  };
}

function readingOf(
  settings: MysqlSettings,
  table: MysqlSourceTable,
  { columns, since }: ReadRequest,
): MysqlReading {
  const known = new Map<string, MysqlColumn>(table.columns.map((column) => [column.name, column]));
  const expressions = columns.map(({ name }) => expressionOf(known.get(name) ?? { name, kind: "" }));
  const from = `FROM ${backquoted(table.schema)}.${backquoted(table.name)}`;
  const select = `SELECT ${expressions.join(", ")} ${from}`;
  const marked = known.get(since?.column ?? "");
  if (!since || !marked) return { settings, sql: select, parameters: [], columns };
  const { type } = columnOf(marked, settings.tinyIntIsBoolean);
  const column = backquoted(marked.name);
  // A number in quotes is compared as a double. Texts are ordered by their bytes here, and by a collation there.
  const isNumber = /^-?\d+(\.\d+)?$/.test(since.value) && /INT|DECIMAL|DOUBLE|FLOAT/.test(type);
  const compared = type === "VARCHAR" ? `CAST(${column} AS BINARY)` : column;
  return {
    settings,
    sql: `${select} WHERE ${compared} >= ${isNumber ? since.value : "?"} OR ${column} IS NULL`,
    // The session is in UTC, as the mark is; MySQL 5 knows no offsets in a text.
    parameters: isNumber ? [] : [since.value.replace(/\+00(:00)?$/, "")],
    columns,
  };
}
