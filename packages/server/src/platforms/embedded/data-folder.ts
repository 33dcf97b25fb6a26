import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptOnce } from "../../identity/keyring.ts";
import type { Parts } from "../../parts.ts";

/**
 * Whether the data of this database is in that folder: the first folder that was used with it is the one. A folder is known by
 * an id of its own, because servers on one PostgreSQL may have different ones by mistake, at the same path.
 */
export async function holdsData({ store, nature }: Parts, dataDir: string): Promise<boolean> {
  const id = folderId(dataDir, nature.newId());
  return (await keptOnce(store, "data folder", id)) === id;
}

function folderId(dataDir: string, fresh: string): string {
  const file = join(dataDir, "folder-id");
  try {
    writeFileSync(file, fresh, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
