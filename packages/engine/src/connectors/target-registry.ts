import { connectionKind, kindsFor } from "@lakehelm/contract/connections";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { openDuckdbTarget } from "./duckdb/target.ts";
import { openFilesTarget } from "./files/target.ts";
import { csv } from "./files/write/csv.ts";
import { jsonl } from "./files/write/jsonl.ts";
import { parquet } from "./files/write/parquet.ts";
import { openHttpTarget } from "./http/target.ts";
import { openSqliteTarget } from "./sqlite/target.ts";
import type { TargetContext } from "./target/context.ts";
import type { ConnectorTarget } from "./target/target.ts";

type OpenTarget = (connection: ConnectionConfig, context: TargetContext) => Promise<ConnectorTarget>;

/** The driver of each kind that this engine writes to. Those of database servers are loaded when the first connection needs them. */
const drivers: Readonly<Record<string, OpenTarget>> = {
  postgresql: async (connection, context) =>
    (await import("./postgresql/target.ts")).openPostgresTarget(connection.config, context),
  mysql: async (connection, context) =>
    (await import("./mysql/target.ts")).openMysqlTarget(connection, context),
  sqlite: (connection, context) => openSqliteTarget(connection, context),
  duckdb: openDuckdbTarget,
  csv: (connection, context) => openFilesTarget(connection, csv, context),
  jsonl: (connection, context) => openFilesTarget(connection, jsonl, context),
  parquet: (connection, context) => openFilesTarget(connection, parquet, context),
  http: (connection, context) => openHttpTarget(connection, context),
};

export async function openTarget(
  connection: ConnectionConfig,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const name = connectionKind(connection.type)?.name ?? "";
  const open = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (!open) {
    const writable = kindsFor("target", "byEngine").map(({ name }) => name);
    throw new DataProblem(
      `Unknown target type ${JSON.stringify(connection.type)}. Available types: ${writable.join(", ")}.`,
    );
  }
  return open(connection, context);
}
