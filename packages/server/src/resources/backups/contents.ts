/** What a backup has of the data folder. A test fails when the folder has something that is not listed here. */
export const contents = {
  /** Files of a moment: only the state that SQLite has at that moment belongs to them. */
  files: ["data-folder-id", "event-anchor"],
  /** In this order: a file that is renamed from the first into the second meanwhile is in one of them. */
  linked: ["staging", "workspaces"],
  /** Only ever grows. */
  copied: ["archive"],
} as const;

/** The control state with SQLite. */
export const stateFile = "lakehelm.db";
export const warehouseFolder = "warehouse";

/** What a backup may have of the data folder: a restore writes nothing else. */
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
