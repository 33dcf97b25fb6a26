import type { AutoCdcFlow, PipelineDataset, PipelineFlow, PlainStatement } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { TableName } from "../../warehouse/names.ts";
import type { BoundStatement } from "../statements/statement-binding.ts";

/** A step of a pipeline, ready to run: the author's texts in DuckDB's dialect, and the types of their columns. */
export type BoundStep = BoundDataset | BoundStatementStep;

export interface BoundStatementStep {
  readonly dataset?: never;
  readonly statement: PlainStatement;
  readonly bound: BoundStatement;
}

export interface BoundDataset {
  readonly statement?: never;
  readonly dataset: PipelineDataset;
  /** The table that stores its rows. */
  readonly storage: TableName;
  /** The columns of its table or view. */
  readonly columns: readonly WarehouseColumn[];
  readonly flows: readonly BoundFlow[];
  readonly expectations: readonly BoundExpectation[];
}

export type BoundFlow = BoundSelect | BoundCdc;

export interface BoundSelect {
  readonly kind: "select";
  readonly definition: Extract<PipelineFlow, { kind: "select" }>;
  /** Selects the dataset's columns in their types. Tables have qualified names. */
  readonly sql: string;
}

/** The source rows of an AUTO CDC flow as events: `columns` and three internal columns. */
export interface BoundCdc {
  readonly kind: "auto_cdc";
  readonly definition: AutoCdcFlow;
  /** Selects `columns`, and the sequence, deletion and truncation of each event under the names in `eventColumns`. */
  readonly sql: string;
  /** The column with the sequence. */
  readonly sequence: WarehouseColumn;
  /** The source columns that the target has, including the keys. */
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  /** For SCD type 2: a change of these columns begins a new version. */
  readonly tracked: readonly WarehouseColumn[];
  /** The clauses that determine how events become rows. A table that was created with other clauses cannot be continued. */
  readonly clauses: Readonly<Record<string, string>>;
}

/** The clause of a flow that stands for the type of its sequence. */
export const sequenceType = "the type of SEQUENCE BY";

/** Author's columns never have this prefix. */
export const eventColumns = {
  sequence: "__lakehelm_sequence",
  deleted: "__lakehelm_deleted",
  truncated: "__lakehelm_truncated",
} as const;

export interface BoundExpectation {
  readonly name: string;
  readonly action: "keep" | "drop" | "fail";
  /** In DuckDB's dialect. */
  readonly condition: string;
}
