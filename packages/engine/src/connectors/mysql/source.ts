import type { Config } from "@lakehelm/contract/connections";
import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { checkThat, runChecks } from "../checks.ts";
import { readSourceSettings } from "../settings.ts";
import type { SourceContext } from "../source/context.ts";
import { findDataset } from "../source/dataset-lookup.ts";
import type { ConnectorSource, KeySelection, ReadRequest } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { listMysqlTables, type MysqlSourceTable } from "./catalog.ts";
import { mysqlProblem } from "./problem.ts";
import { connectMysql } from "./session.ts";
import { type MysqlSettings, mysqlFields, mysqlSettings, serverAddress } from "./settings.ts";
import type { MysqlThreadInput } from "./source-thread.ts";
import { backquoted, columnOf, expressionOf, type MysqlColumn } from "./source-types.ts";
import { defineTable } from "./table-definition.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** A MySQL or MariaDB database. */
export async function openMysqlSource(
  config: Config,
  { signal, egress }: Pick<SourceContext, "signal" | "egress">,
): Promise<ConnectorSource> {
  return mysqlSource(readSourceSettings(mysqlFields, config, mysqlSettings(egress)), signal);
}

export function mysqlSource(settings: MysqlSettings, signal: AbortSignal): ConnectorSource {
  let opened: Promise<mysql.Connection> | undefined;

  async function query<Result>(run: (connection: mysql.Connection) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    opened ??= connectMysql(settings);
    const connection = await opened;
    return run(connection).catch((error: unknown) => {
      throw mysqlProblem(settings, error);
    });
  }

  async function find(dataset: string): Promise<MysqlSourceTable> {
    const [schema, table] = namesOf(dataset, settings.schema);
    const tables = await query((connection) => listMysqlTables(connection, schema));
    return findDataset(table, tables, `${schema} at ${serverAddress(settings)}`);
  }
  const describe = async (dataset: string) => describeTable(await find(dataset), settings);

  return {
    check: (datasets) =>
      runChecks(
        checkThat(connectSentence(settings), () => query(async () => {})),
        datasets.map((dataset) =>
          checkThat(`can read ${dataset} in ${settings.schema}`, async () => {
            const { schema, name } = await find(dataset);
            await query((connection) =>
              connection.query(`SELECT 1 FROM ${backquoted(schema)}.${backquoted(name)} LIMIT 0`),
            );
          }),
        ),
      ),
    async discover() {
      const tables = await query((connection) => listMysqlTables(connection, settings.schema));
      return tables.map((table) => describeTable(table, settings));
    },
    describe,
    async define(dataset) {
      const table = await find(dataset);
      return query((connection) => defineTable(connection, table));
    },
    readsByKeys: () => true,
    hasRowOrder: () => false,
    async read(request) {
      await request.into.fromThread(thread, threadInput(settings, await find(request.dataset), request));
    },
    async close() {
      const connection = await opened?.catch(() => undefined);
      connection?.destroy();
    },
  };
}

const connectSentence = (settings: MysqlSettings) =>
  `can connect to ${settings.database} at ${serverAddress(settings)} as ${settings.user ?? "anonymous"}`;

/** Parses `table` or `database.table`. Parts may be in backticks. */
function namesOf(dataset: string, schema: string): [schema: string, table: string] {
  const match = dataset.match(/^(?:(`(?:[^`]|``)+`|[^.`]+)\.)?(`(?:[^`]|``)+`|[^.`]+)$/);
  if (!match) {
    throw new DataProblem(
      `${JSON.stringify(dataset)} is not a table name. Expected table or database.table, each part in backticks if needed.`,
    );
  }
  const unquoted = (part: string) => (part.startsWith("`") ? part.slice(1, -1).replaceAll("``", "`") : part);
  return [unquoted(match[1] ?? backquoted(schema)), unquoted(match[2] ?? "")];
}

function describeTable(
  { name, columns, keys, rows }: MysqlSourceTable,
  { tinyIntIsBoolean }: MysqlSettings,
): DatasetDescription {
  const warehouseColumns = columns.map((column) => ({
    ...columnOf(column, tinyIntIsBoolean),
    nullable: column.nullable,
  }));
  return {
    name: /[.`]/.test(name) ? backquoted(name) : name,
    columns: warehouseColumns,
    primary_keys: keys,
    watermark_candidates: watermarkCandidates(warehouseColumns, keys),
    rows,
  };
}

function threadInput(
  settings: MysqlSettings,
  table: MysqlSourceTable,
  { columns, since, keys }: ReadRequest,
): MysqlThreadInput {
  const known = new Map<string, MysqlColumn>(table.columns.map((column) => [column.name, column]));
  const expressions = columns.map(({ name }) => expressionOf(known.get(name) ?? { name, kind: "" }));
  const from = `FROM ${backquoted(table.schema)}.${backquoted(table.name)}`;
  const select = `SELECT ${expressions.join(", ")} ${from}`;
  if (keys) return { settings, columns, ...selectByKeys(select, keys) };
  const watermark = known.get(since?.column ?? "");
  if (!since || !watermark) return { settings, sql: select, parameters: [], columns };
  const { type, isNumericText, sourceOrder } = columnOf(watermark, settings.tinyIntIsBoolean);
  const column = backquoted(watermark.name);
  const bounds = [since.value, ...(since.before === undefined ? [] : [since.before])];
  // A quoted number would be compared as a double. The warehouse orders text by bytes, the server by a collation.
  const isNumber =
    bounds.every((bound) => /^-?\d+(\.\d+)?$/.test(bound)) &&
    (isNumericText || /INT|DECIMAL|DOUBLE|FLOAT/.test(type));
  const isText = (type === "VARCHAR" && !isNumericText) || type === "UUID";
  const compared = isText ? `CAST(CONVERT(${column} USING utf8mb4) AS BINARY)` : column;
  // The text of a FLOAT can be greater than its value.
  const numbers = type === "FLOAT" ? bounds.map((bound) => String(Math.fround(Number(bound)))) : bounds;
  const [lower, upper] = isNumber ? numbers : ["?", "?"];
  // It is unknown in which of the two orders the texts grow, so rows that are greater in either order are read.
  const isCollated = since.before === undefined && sourceOrder === "collation";
  const isBelow = since.before === undefined ? ` OR ${column} IS NULL` : ` AND ${compared} < ${upper}`;
  const inOwnOrder = isCollated ? ` OR ${column} >= ${ownBound(watermark)}` : "";
  // Both the session and the watermark are in UTC. MySQL 5 does not support offsets in text.
  const parameters = (isCollated ? [since.value, since.value] : bounds).map((bound) =>
    isText ? bound : bound.replace(/\+00(:00)?$/, ""),
  );
  return {
    settings,
    sql: `${select} WHERE ${compared} >= ${lower}${inOwnOrder}${isBelow}`,
    parameters: isNumber ? [] : parameters,
    columns,
  };
}

/** A parameter has the collation of the session, so it is converted to that of the column. */
const ownBound = ({ collation }: MysqlColumn): string =>
  collation === undefined ? "?" : `CONVERT(? USING ${collation.charset}) COLLATE ${collation.name}`;

/** May find more rows than the keys: a collation may take other keys for the same. */
function selectByKeys(
  select: string,
  { columns, values }: KeySelection,
): Pick<MysqlThreadInput, "sql" | "parameters"> {
  const isNumber = columns.map(({ type, isNumericText }) => isNumericText || /INT|DECIMAL/.test(type));
  const parameters: string[] = [];
  const rows = values.map((key) => {
    const cells = key.map((value, at) => {
      // A quoted number would be compared as a double.
      if (isNumber[at] && /^-?\d+(\.\d+)?$/.test(value)) return value;
      parameters.push(value.replace(/\+00(:00)?$/, ""));
      return "?";
    });
    return `(${cells.join(", ")})`;
  });
  const names = columns.map(({ name }) => backquoted(name)).join(", ");
  return { sql: `${select} WHERE (${names}) IN (${rows.join(", ")})`, parameters };
}
