import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../core/store/migrate.ts";
import { openSqlite } from "../core/store/sqlite.ts";

let template: Promise<Buffer> | undefined;

/** Writes a new, migrated SQLite database: a copy takes a twentieth of the CPU time of the migrations. */
export async function writeMigrated(file: string): Promise<void> {
  template ??= makeTemplate();
  await writeFile(file, await template, { mode: 0o600, flag: "wx" });
}

async function makeTemplate(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-template-"));
  try {
    const file = join(folder, "lakehelm.db");
    const engine = await openSqlite(file);
    await migrate(engine);
    await engine.close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
