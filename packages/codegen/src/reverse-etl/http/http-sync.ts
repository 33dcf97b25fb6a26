import type { NameDefaults, TableName } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";

/** A sync to an HTTP endpoint, with its settings parsed. */
export interface HttpSync {
  readonly connector: string;
  readonly url: string;
  /** With references instead of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tables: readonly SyncedTable[];
  readonly batchSize: number;
  /** `null`: the default. */
  readonly maxRejectShare: number | null;
  /** Lakehouse tables: acknowledged rows and rejects. */
  readonly state: TableName;
  readonly rejects: TableName;
  readonly defaults: NameDefaults;
}
