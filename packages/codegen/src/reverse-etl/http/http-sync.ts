import type { NameDefaults, TableName } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";

/** An export to an HTTP endpoint, with its settings parsed. */
export interface HttpSync {
  readonly connector: string;
  readonly url: string;
  /** The headers, with references in place of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tables: readonly SyncedTable[];
  readonly batchSize: number;
  /** `null`: the default. */
  readonly maxRejectShare: number | null;
  /** Lakehouse tables: `state` has acknowledged rows, `rejects` has rejected rows. */
  readonly state: TableName;
  readonly rejects: TableName;
  readonly defaults: NameDefaults;
}
