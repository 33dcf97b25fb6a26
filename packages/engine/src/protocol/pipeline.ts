import type { PipelineProblem, PipelineSource } from "@lakehelm/sql/pipelines";
import type { ExpectedTable } from "./expected-table.ts";
import type { WarehouseScope } from "./scope.ts";

/** The code of a pipeline: its libraries in order, and the values of `${…}` in them. */
export interface PipelineCode {
  readonly scope: WarehouseScope;
  /** The pipeline's id. The pipeline owns the tables that it creates. */
  readonly pipeline: string;
  readonly sources: readonly PipelineSource[];
  readonly configuration: Readonly<Record<string, string>>;
}

/** Plans an update of the given tables. Without `refresh`, an update of all tables; without `fullRefresh`, none starts over. */
export interface UpdatePlanRequest extends PipelineCode {
  readonly refresh?: RunUpdateRequest["refresh"];
  readonly fullRefresh?: RunUpdateRequest["fullRefresh"];
  /**
   * False: types of columns, and the problems that only the warehouse finds, are left out. That is many times faster.
   */
  readonly types?: boolean;
  /** Tables as they will be when the update runs, instead of the tables in the catalog. */
  readonly expected?: readonly ExpectedTable[];
}

export interface UpdatePlan {
  readonly problems: readonly PipelineProblem[];
  readonly tables: readonly PlannedTable[];
  /** Those problems that are of tables which must be computed again before an update can continue. */
  readonly resume?: readonly PipelineProblem[];
  /**
   * The expected tables that the pipeline reads and whose columns are unknown: steps that read them are not checked.
   */
  readonly unknown?: readonly string[];
}

/** A table, view or statement of a pipeline. A plan lists them in execution order. */
export interface PlannedTable {
  /** `catalog.schema.table` */
  readonly name: string;
  readonly kind: "materialized_view" | "streaming_table" | "view" | "statement";
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly comment: string | null;
  /** Full names of all tables that the step reads, including tables outside the pipeline. */
  readonly reads: readonly string[];
  /** The tables in `reads` that the step reads as streams. */
  readonly streams: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    /** The Databricks type; null if it is known only after a run. */
    readonly type: string | null;
    readonly from: readonly { readonly table: string; readonly column: string }[];
  }[];
  readonly expectations: readonly {
    readonly name: string;
    readonly condition: string;
    readonly action: "keep" | "drop" | "fail";
  }[];
}

export interface RunUpdateRequest extends PipelineCode {
  /** The run's id. A later attempt of the same run does not repeat what an earlier attempt committed. */
  readonly update: string;
  /** The number of the attempt, from 1. */
  readonly attempt?: number;
  /** Full or short table names. Other tables stay as they are, and plain statements do not run. */
  readonly refresh: "all" | readonly string[];
  /** Tables that are emptied first and then read their streams from the beginning. */
  readonly fullRefresh: "all" | readonly string[];
}

/** The state of one table in an update. Sent as the progress value `tables` while the update runs. */
export interface TableUpdateStatus {
  readonly name: string;
  readonly kind: PlannedTable["kind"];
  /** `excluded`: not selected for this update. `skipped`: a table that it reads failed. */
  readonly state: "waiting" | "running" | "completed" | "failed" | "skipped" | "excluded";
  readonly rows_added: number;
  readonly rows_updated: number;
  readonly rows_removed: number;
  readonly expectations: readonly {
    readonly name: string;
    readonly action: "keep" | "drop" | "fail";
    readonly passed: number;
    readonly failed: number;
  }[];
  /** Rows that expectations dropped. */
  readonly rows_dropped: number;
  readonly seconds: number;
  readonly error: string | null;
}

export interface RunUpdateResult {
  readonly tables: readonly TableUpdateStatus[];
  readonly changed: readonly string[];
}
