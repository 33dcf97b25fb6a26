import type { WarehouseColumn } from "../../../protocol/column.ts";

/** When the file of a row was last modified. As a watermark, it makes a run read only new and changed files. */
export const modifiedColumn: WarehouseColumn = {
  name: "_file_modified",
  type: "TIMESTAMP",
  wire: "VARCHAR",
  origin: "the time of the file",
};

/** The column in which DuckDB returns the file of a row. */
export const pathColumn = "_lakehelm_path";
