import { join } from "node:path";
import { createPrivateFile } from "../files/private-folder.ts";
import type { Database } from "./database.ts";
import { fillLineage } from "./lineage-rows.ts";
import { fillListColumns } from "./list-backfill.ts";
import { migrate } from "./migrate.ts";

/** Opens the configured database and migrates its schema. Only the driver in use is loaded. */
export async function openDatabase(
  url: string | undefined,
  dataDir: string,
): Promise<{ engine: Database; version: number }> {
  const engine = await (url === undefined
    ? openIn(dataDir)
    : (await import("./postgres.ts")).openPostgres(url));
  try {
    const version = await migrate(engine);
    await fillListColumns(engine);
    await fillLineage(engine);
    return { engine, version };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openIn(dataDir: string): Promise<Database> {
  const file = join(dataDir, "lakehelm.db");
  createPrivateFile(file);
  return (await import("./sqlite.ts")).openSqlite(file);
}
