import type { WriteStrategy } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";

/** A table to export from the lakehouse to a target, with resolved names. */
export interface SyncedTable {
  /** The target as the request names it. */
  readonly name: string;
  readonly source: TableName;
  /** Empty: the target has no schemas. */
  readonly schema: string;
  readonly target: string;
  readonly strategy: WriteStrategy;
  readonly keys: readonly string[];
  readonly watermark: string | null;
  /** Columns with personal data that are known now. */
  readonly leftOut: readonly string[];
  /** Whether to also leave out columns that the catalog marks as personal when the code runs. */
  readonly suppressed: boolean;
}
