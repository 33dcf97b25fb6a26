import { databaseFile } from "./database-files.ts";
import type { ConnectionKind } from "./kind.ts";

export const duckdb: ConnectionKind = {
  ...databaseFile("duckdb", "DuckDB"),
  source: { byEngine: true },
  target: { byEngine: true, holds: "tables" },
};
