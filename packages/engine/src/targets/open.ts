import { DataProblem } from "../problem.ts";
import type { Connection } from "../requests.ts";
import type { TargetContext } from "./context.ts";
import { openDuckdbTarget } from "./duckdb.ts";
import { csv } from "./files/csv.ts";
import { jsonl } from "./files/jsonl.ts";
import { parquet } from "./files/parquet.ts";
import { openFilesTarget } from "./files.ts";
import { openHttpTarget } from "./http.ts";
import { openSqliteTarget } from "./sqlite.ts";
import type { Target } from "./target.ts";

type Opening = (connection: Connection, context: TargetContext) => Promise<Target>;

/** The drivers of the database servers are loaded when the first connection needs them. */
const targets: Readonly<Record<string, Opening>> = {
  postgresql: async (connection, context) =>
    (await import("./postgresql.ts")).openPostgresTarget(connection.config, context),
  mysql: async (connection, context) => (await import("./mysql.ts")).openMysqlTarget(connection, context),
  sqlite: (connection, context) => openSqliteTarget(connection, context),
  duckdb: openDuckdbTarget,
  csv: (connection, context) => openFilesTarget(connection, csv, context),
  jsonl: (connection, context) => openFilesTarget(connection, jsonl, context),
  parquet: (connection, context) => openFilesTarget(connection, parquet, context),
  http: (connection, context) => openHttpTarget(connection, context),
};

/** Opens the other side of a connector that writes. */
export async function openTarget(connection: Connection, context: TargetContext): Promise<Target> {
  const type = connection.type.toLowerCase();
  const name = type === "postgres" ? "postgresql" : type;
  const open = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (!open) {
    throw new DataProblem(
      `Rows cannot be written to a target of type ${JSON.stringify(connection.type)}. Known are ${Object.keys(targets).join(", ")}.`,
    );
  }
  return open(connection, context);
}
