import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateFile } from "../files/private-folder.ts";

/** Held for the lifetime of the process; the operating system releases it however the process ends. */
export interface FolderLock {
  release(): void;
}

/**
 * A data folder belongs to one server. We take an SQLite lock on a separate file: unlike a pid file, it cannot become
 * stale.
 */
export function lockFolder(dataDir: string): FolderLock {
  const path = join(dataDir, "lease");
  createPrivateFile(path);
  const file = new DatabaseSync(path);
  try {
    file.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new Error(
      `The data folder ${dataDir} is in use by another Lakehelm. Stop it, or set PLATFORM_DATA_DIR.`,
    );
  }
  return { release: () => void (file.isOpen && file.close()) };
}
