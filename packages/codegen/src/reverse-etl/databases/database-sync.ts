import type { NameDefaults } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";
import type { DatabaseDialect } from "./dialects/dialect.ts";

/** An export to a database, with its settings parsed. */
export interface DatabaseSync {
  readonly connector: string;
  readonly dialect: DatabaseDialect;
  /** The driver's settings, with references in place of secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly tables: readonly SyncedTable[];
  readonly batchSize: number;
  /** `null`: the default. */
  readonly maxRejectShare: number | null;
  readonly defaults: NameDefaults;
}
