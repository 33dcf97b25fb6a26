import { backup, DatabaseSync } from "node:sqlite";
import { createPrivateFile } from "../files/private-folder.ts";

/** The database at one moment: later writes are not in it. */
export interface SqliteSnapshot {
  /** The sequence of the last sealed event. */
  readonly eventSequence: number;
  copyTo(path: string): Promise<void>;
  close(): void;
}

/** Pages that are copied before the thread pool is free for others: 16 MB. */
const pagesAtOnce = 4096;

/**
 * A read transaction keeps the snapshot until it is closed. Writers go on, and the WAL grows meanwhile, because it cannot be
 * checkpointed beyond the snapshot.
 */
export function openSqliteSnapshot(path: string): SqliteSnapshot {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec("begin");
    // The transaction begins with its first read.
    const { last } = database.prepare("select coalesce(max(sequence), 0) as last from events").get() as {
      last: number;
    };
    return {
      eventSequence: last,
      async copyTo(target) {
        createPrivateFile(target);
        await backup(database, target, { rate: pagesAtOnce });
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
