import { basename, dirname, join } from "node:path";
import { counted } from "@lakehelm/contract/text";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { runChecks } from "../checks.ts";
import { createSharedFile } from "../file-modes.ts";
import { inFolder } from "../opened-file.ts";
import { requireUnreservedName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { pathExists, requireWritable, targetPath } from "../target/paths.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { resolveSqliteFile } from "./file.ts";
import { SqliteSession } from "./session.ts";
import { openSqliteSource } from "./source.ts";
import { findTable, SqliteTargetTable } from "./target-table.ts";

/** A SQLite file as a target. The first run creates it if its folder exists. */
export async function openSqliteTarget(
  connection: ConnectionConfig,
  context: TargetContext,
  timeoutMs = 30_000,
): Promise<ConnectorTarget> {
  const path = await targetPath(connection, context);
  const session = new SqliteSession({ path, timeoutMs }, async () => {
    const file = await resolveSqliteFile(path, context);
    if (!(await pathExists(file)))
      await inFolder(dirname(file), (folder) => createSharedFile(join(folder, basename(file))));
    return file;
  });
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
            ? `can write ${table.name}, which has ${counted(table.columns.length, "column")}`
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
