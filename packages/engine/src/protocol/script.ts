import type { ExpectedTable } from "./expected-table.ts";
import type { WarehouseScope } from "./scope.ts";

export interface ScriptRequest {
  readonly scope: WarehouseScope;
  /** One or more statements: queries, DDL and DML on tables of the warehouse. */
  readonly sql: string;
  /** Values for `:name`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Types of some parameters, such as `DECIMAL(10,2)`. A number gets this type, also one that is sent as text. */
  readonly types?: Readonly<Record<string, string>>;
  /** A committed script with the same key does not run again; its result is returned. Null: the script may only read. */
  readonly idempotencyKey: string | null;
  /** How many rows of the last query the result has. Absent: 100. */
  readonly maxRows?: number;
}

export interface ScriptPlanRequest extends Omit<ScriptRequest, "idempotencyKey"> {
  /** Tables as they will be when the script runs, instead of the tables in the catalog. */
  readonly expected?: readonly ExpectedTable[];
}

export interface ScriptPlan {
  readonly problems: readonly {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
  /** Full names of tables. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface ScriptResult {
  /** The columns and the first rows of the last query: `maxRows`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
  /** The value of a single row with a single column, as JSON has it. */
  readonly value: unknown;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly changed: readonly string[];
}
