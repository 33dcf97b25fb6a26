import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Held for as long as the server lives; the operating system lets go of it when the process ends, however it ends. */
export interface Lease {
  release(): void;
}

/**
 * A data folder belongs to one server. The lock is SQLite's own, on a file of its own: unlike a file with a
 * process number in it, it cannot be left behind.
 */
export function lockFolder(dataDir: string): Lease {
  const file = new DatabaseSync(join(dataDir, "lease"));
  try {
    file.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new Error(
      `The data folder ${dataDir} is in use by another Lakehelm. Stop it, or set PLATFORM_DATA_DIR.`,
    );
  }
  return { release: () => file.close() };
}
