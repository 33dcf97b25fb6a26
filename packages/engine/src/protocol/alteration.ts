import type { PlannedAlteration, PlannedColumn, TableChange, TableColumn } from "@lakehelm/contract/changes";
import type { WarehouseScope } from "./scope.ts";

export interface AlterTableRequest {
  readonly scope: WarehouseScope;
  /** `table`, `schema.table` or `catalog.schema.table` */
  readonly table: string;
  readonly changes: readonly TableChange[];
  /** The columns that the table must have for the changes to be made. Absent: the changes are only planned. */
  readonly expected?: readonly TableColumn[] | undefined;
}

export interface AlterTableResult extends PlannedAlteration {
  readonly columns: readonly (PlannedColumn & {
    /** The rows with a value that does not fit the new type. */
    readonly unfit: number;
  })[];
  /** The columns that the table has now. */
  readonly before: readonly TableColumn[];
  /** Views that can no longer be read, with the reason. */
  readonly brokenViews: readonly { readonly name: string; readonly reason: string }[];
  /** Other consequences for the table, as sentences. */
  readonly remarks: readonly string[];
}
