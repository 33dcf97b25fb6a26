import { join } from "node:path";
import type { Dependencies } from "../../../core/dependencies.ts";
import { persistentValue } from "../../../core/files/persistent-value.ts";
import { storedOnce } from "../../../core/secrets/keyring.ts";

/** A data folder has its own id: servers on one PostgreSQL database may have different folders at the same path. */
export const dataFolderId = ({ system }: Pick<Dependencies, "system">, dataDir: string): Promise<string> =>
  persistentValue(join(dataDir, "data-folder-id"), system.newId, system.randomBytes);

/** Whether the folder holds the data of this database: that is the first folder that was used with it. */
export async function holdsData(deps: Dependencies, dataDir: string): Promise<boolean> {
  const id = await dataFolderId(deps, dataDir);
  return (await storedOnce(deps.store, "data folder", id)) === id;
}
