import type { WarehouseScope } from "./scope.ts";

export interface QueryRequest {
  readonly scope: WarehouseScope;
  readonly sql: string;
  readonly dialect: "databricks" | "duckdb";
  /** The first row of the page, and the largest number of rows in it. */
  readonly skip: number;
  readonly limit: number;
  readonly timeoutMs: number;
  /** `plan`: nothing runs. `parquet`: all rows, without regard to the page. */
  readonly format: "json" | "arrow" | "count" | "plan" | "parquet";
}

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** `json`: the JSON text of the rows as lists, in UTF-8. Numbers that a double cannot hold are strings. */
  readonly rows?: Uint8Array;
  readonly arrow?: Uint8Array;
  readonly parquet?: Uint8Array;
  readonly plan?: QueryPlan;
  /** The number of rows in this page. */
  readonly count: number;
  readonly more: boolean;
  /** `count`: the value of a single row with a single integer column, otherwise the number of rows. */
  readonly value?: number;
}

/** One step of a plan. The steps that feed it follow it, one level deeper. */
export interface PlanOperator {
  readonly depth: number;
  readonly name: string;
  readonly details: Readonly<Record<string, string>>;
  readonly estimated_rows: number | null;
}

/** How a query would be run. */
export interface QueryPlan {
  readonly text: string;
  /** Null if the platform returns only text. */
  readonly operators: readonly PlanOperator[] | null;
}
