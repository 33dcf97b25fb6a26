import type { TableName } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";

/** A sync to an HTTP endpoint, with every setting read. */
export interface HttpSync {
  readonly connector: string;
  readonly url: string;
  /** With references in the place of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tables: readonly SyncedTable[];
  readonly batchSize: number;
  /** `null`: the usual one. */
  readonly maxRejectShare: number | null;
  /** In the lakehouse: what was acknowledged, and what was refused. */
  readonly state: TableName;
  readonly rejects: TableName;
}
