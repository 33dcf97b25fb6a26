import { databaseFile } from "./database-files.ts";
import type { ConnectionKind } from "./kind.ts";

export const sqlite: ConnectionKind = {
  ...databaseFile("sqlite", "SQLite"),
  source: { byEngine: true },
  target: { byEngine: true, holds: "tables", hasUniqueIndexes: true },
};
