import { dirname } from "node:path";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import { requireUnreservedName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { pathExists, requireWritable, targetPath } from "../target/paths.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { SqliteSession } from "./session.ts";
import { openSqliteSource } from "./source.ts";
import { findTable, SqliteTargetTable } from "./target-table.ts";

/** A SQLite file as a target. The first run creates it if its folder exists. */
export async function openSqliteTarget(
  connection: ConnectionConfig,
  context: TargetContext,
  timeoutMs = 30_000,
): Promise<ConnectorTarget> {
  const path = await targetPath(connection, context.ownFolder);
  const session = new SqliteSession({ path, timeoutMs });
  const source = () => openSqliteSource({ path }, context);
  return {
    check: (names) =>
      runChecks(
        async () => {
          if (await pathExists(path)) {
            await session.all("PRAGMA schema_version");
            await requireWritable(path);
            return `can open and write ${path}`;
          }
          await requireWritable(dirname(path));
          return `${path} will be created by the first run`;
        },
        names.map((name) => async () => {
          requireUnreservedName(name);
          const table = (await pathExists(path)) ? await findTable(session, name) : undefined;
          return table
            ? `can write ${table.name}, which has ${table.columns.length} columns`
            : `${name} will be created by the first run`;
        }),
      ),
    async discover() {
      return (await pathExists(path)) ? (await source()).discover() : [];
    },
    async table(destination) {
      requireUnreservedName(destination.name);
      return new SqliteTargetTable(session, destination, () => pathExists(path), source);
    },
    close: () => session.close(),
  };
}
