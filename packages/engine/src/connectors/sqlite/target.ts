import { dirname } from "node:path";
import type { ConnectionConfig } from "../../protocol/requests.ts";
import { refuseOwnName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { findings } from "../target/findings.ts";
import { isThere, pathOf, requireWritable } from "../target/paths.ts";
import type { Target } from "../target/target.ts";
import { SqliteSession } from "./session.ts";
import { openSqliteSource } from "./source.ts";
import { keptTable, SqliteTable } from "./target-table.ts";

/** A SQLite file as a target. The first run makes it, if its folder is there. */
export async function openSqliteTarget(
  connection: ConnectionConfig,
  context: TargetContext,
  patience = 30_000,
): Promise<Target> {
  const path = await pathOf(connection, context.ownFolder);
  const session = new SqliteSession({ path, patience });
  const source = () => openSqliteSource({ path }, context);
  return {
    check: (names) =>
      findings(
        async () => {
          if (await isThere(path)) {
            await session.all("PRAGMA schema_version");
            await requireWritable(path);
            return `can open and write ${path}`;
          }
          await requireWritable(dirname(path));
          return `${path} will be made by the first run`;
        },
        names,
        async (name) => {
          refuseOwnName(name);
          const table = (await isThere(path)) ? await keptTable(session, name) : undefined;
          return table
            ? `can write ${table.name}, which has ${table.columns.length} columns`
            : `${name} will be made by the first run`;
        },
      ),
    async discover() {
      return (await isThere(path)) ? (await source()).discover() : [];
    },
    async table(destination) {
      refuseOwnName(destination.name);
      return new SqliteTable(session, destination, () => isThere(path), source);
    },
    close: () => session.close(),
  };
}
