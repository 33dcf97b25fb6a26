import { counted } from "@lakehelm/contract/text";
import type mysql from "mysql2/promise";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import { readTargetSettings } from "../settings.ts";
import { requireUnreservedName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { schemaAndTable } from "../target/table-names.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { findTable, requireWritable } from "./existing-table.ts";
import { mysqlProblem } from "./problem.ts";
import { connectMysql } from "./session.ts";
import { mysqlFields, mysqlSettings, serverAddress } from "./settings.ts";
import { mysqlSource } from "./source.ts";
import { MysqlTargetTable } from "./target-table.ts";

/** A MySQL or MariaDB database as a target. */
export async function openMysqlTarget(
  connection: ConnectionConfig,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const { signal } = context;
  const settings = readTargetSettings(mysqlFields, connection, mysqlSettings(context.egress));
  let connecting: Promise<mysql.Connection> | undefined;

  async function session(): Promise<mysql.Connection> {
    signal.throwIfAborted();
    connecting ??= connectMysql(settings).then(async (client) => {
      // Strict mode: a value that does not fit is refused, not truncated.
      await client.query("SET SESSION sql_mode = 'TRADITIONAL,NO_AUTO_VALUE_ON_ZERO'");
      return client;
    });
    return connecting;
  }
  const withConnection = <Result>(work: (client: mysql.Connection) => Promise<Result>) =>
    session()
      .then(work)
      .catch((error: unknown) => {
        throw mysqlProblem(settings, error);
      });
  const tableNameOf = (name: string) => {
    const tableName = schemaAndTable(name, settings.schema);
    requireUnreservedName(tableName.table);
    return tableName;
  };

  return {
    check: (names) =>
      runChecks(
        async () => {
          await session();
          return `can connect to ${settings.database} at ${serverAddress(settings)} as ${settings.user ?? "anonymous"}`;
        },
        names.map((name) => async () => {
          const existing = await withConnection((client) => findTable(client, tableNameOf(name)));
          if (!existing) return `${name} will be created by the first run`;
          await withConnection((client) => requireWritable(client, tableNameOf(name), existing));
          return `can write ${name}, which has ${counted(existing.columns.length, "column")}`;
        }),
      ),
    discover: async () => {
      const source = mysqlSource(settings, signal);
      return source.discover().finally(() => source.close());
    },
    async table(destination) {
      const source = async () => mysqlSource(settings, signal);
      return new MysqlTargetTable({
        destination,
        tableName: tableNameOf(destination.name),
        withConnection,
        source,
      });
    },
    async close() {
      const client = await connecting?.catch(() => undefined);
      client?.destroy();
    },
  };
}
