/** A value of a row outside DuckDB, as connectors read and write it. */
export type CellValue = null | boolean | number | bigint | string | Uint8Array;
