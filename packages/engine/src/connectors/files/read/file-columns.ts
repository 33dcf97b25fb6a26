import type { WarehouseColumn } from "../../../protocol/column.ts";

/** When a row's file was changed last: as a watermark, it lets a run read only the files that are new or have changed. */
export const fileModified: WarehouseColumn = {
  name: "_file_modified",
  type: "TIMESTAMP",
  wire: "VARCHAR",
  origin: "the time of the file",
};
