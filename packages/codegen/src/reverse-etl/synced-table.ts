import type { WriteStrategy } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";

/** One table on its way from the lakehouse to a target, with every name settled. */
export interface SyncedTable {
  readonly source: TableName;
  /** Empty where targets have no schemas. */
  readonly schema: string;
  readonly target: string;
  readonly strategy: WriteStrategy;
  readonly keys: readonly string[];
  readonly watermark: string | null;
  readonly leftOut: readonly string[];
}
