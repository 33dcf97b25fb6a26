import type { WarehouseScope } from "./scope.ts";

export interface QueryRequest {
  readonly scope: WarehouseScope;
  readonly sql: string;
  readonly dialect: "databricks" | "duckdb";
  /** The first row of the page, and the largest number of rows in it. */
  readonly skip: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly format: "json" | "arrow" | "count";
}

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** `json`: the JSON text of the rows as lists, in UTF-8. Numbers that a double cannot hold are strings. */
  readonly rows?: Uint8Array;
  readonly arrow?: Uint8Array;
  /** The number of rows in this page. */
  readonly count: number;
  readonly more: boolean;
  /** `count`: the value of a single row with a single integer column, otherwise the number of rows. */
  readonly value?: number;
}
