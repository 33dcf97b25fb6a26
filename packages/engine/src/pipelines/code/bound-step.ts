import type { AutoCdcFlow, PipelineDataset, PipelineFlow, PlainStatement } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { TableName } from "../../warehouse/names.ts";
import type { BoundStatement } from "../statements/statement-binding.ts";

/** A step of a pipeline with everything that is needed to run it: the author's texts in DuckDB's dialect, and types. */
export type BoundStep = BoundDataset | BoundStatementStep;

export interface BoundStatementStep {
  readonly dataset?: never;
  readonly statement: PlainStatement;
  readonly bound: BoundStatement;
}

export interface BoundDataset {
  readonly statement?: never;
  readonly dataset: PipelineDataset;
  /** Where its rows are. */
  readonly storage: TableName;
  /** What its table has, or its view gives. */
  readonly columns: readonly WarehouseColumn[];
  readonly flows: readonly BoundFlow[];
  readonly expectations: readonly BoundExpectation[];
}

export type BoundFlow = BoundSelect | BoundCdc;

export interface BoundSelect {
  readonly kind: "select";
  readonly definition: Extract<PipelineFlow, { kind: "select" }>;
  /** With the columns and types of the dataset, every table by its three names. */
  readonly sql: string;
}

/** The rows of an AUTO CDC flow's source, as events: `columns` beside three of ours. */
export interface BoundCdc {
  readonly kind: "auto_cdc";
  readonly definition: AutoCdcFlow;
  /** Gives `columns`, and the sequence, deletion and truncation of each event under the names in `eventColumns`. */
  readonly sql: string;
  /** The type of the sequence. */
  readonly sequence: WarehouseColumn;
  /** What the target has of the source, the keys among them. */
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  /** Of type 2: the columns whose changes begin a new version. */
  readonly tracked: readonly WarehouseColumn[];
  /** How events become rows, by the clauses that say so: what a table was made with in another way is not gone on with. */
  readonly clauses: Readonly<Record<string, string>>;
}

/** No column of an author begins so. */
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
