import { join } from "node:path";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

/** Opens the configured database and migrates its schema. Only the driver in use is loaded. */
export async function openDatabase(
  url: string | undefined,
  dataDir: string,
): Promise<{ engine: Database; version: number }> {
  const engine =
    url === undefined
      ? await (await import("./sqlite.ts")).openSqlite(join(dataDir, "lakehelm.db"))
      : await (await import("./postgres.ts")).openPostgres(url);
  try {
    return { engine, version: await migrate(engine) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
