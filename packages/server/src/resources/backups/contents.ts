/** What a backup contains of the data folder. A test fails if the folder has something that is not listed here. */
export const contents = {
  /** These files fit only the SQLite database of the same moment. */
  files: ["data-folder-id", "event-anchor"],
  /** Linked in this order: a file that is moved from `staging` to `workspaces` meanwhile is in at least one of them. */
  linked: ["staging", "workspaces"],
  /** Files that only grow. */
  copied: ["archive"],
} as const;

/** The control state with SQLite. */
export const stateFile = "lakehelm.db";
export const warehouseFolder = "warehouse";

/** What a backup may contain of the data folder: a restore writes nothing else. */
export const restorable: readonly string[] = [
  ...contents.files,
  ...contents.linked,
  ...contents.copied,
  stateFile,
  warehouseFolder,
];

/** Not in a backup: keys and tokens, locks, caches, what is recreated, and the backups themselves. */
export const leftOut: readonly string[] = [
  "secret-key",
  "service-token",
  "lease",
  "lease-journal",
  "engine-process",
  "processes",
  "task-processes",
  "paused",
  "backups",
  ".backup-links",
  ".backup-plain",
  `${stateFile}-wal`,
  `${stateFile}-shm`,
];
