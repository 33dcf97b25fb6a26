/** The column that a reader of DuckDB tells a row's file in. */
export const filePath = "_lakehelm_path";

/** DuckDB takes every path for a pattern: here it is one file. */
export const duckPath = (path: string): string => path.replace(/[[*?]/g, "[$&]");
