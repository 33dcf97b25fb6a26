import { join } from "node:path";
import type { Parts } from "../../../core/dependencies.ts";
import { keptFile } from "../../../core/files/persistent-value.ts";
import { keptOnce } from "../../../core/secrets/keyring.ts";

/** A data folder is known by an id of its own: servers on one PostgreSQL may have different ones, at the same path. */
export const dataFolderId = ({ nature }: Pick<Parts, "nature">, dataDir: string): Promise<string> =>
  keptFile(join(dataDir, "data-folder-id"), nature.newId, nature.randomBytes);

/** Whether the data of this database is in that folder: the first folder that was used with it is the one. */
export async function holdsData(parts: Parts, dataDir: string): Promise<boolean> {
  const id = await dataFolderId(parts, dataDir);
  return (await keptOnce(parts.store, "data folder", id)) === id;
}
