import type { PipelineProblem, PipelineSource } from "@lakehelm/sql/pipelines";
import type { Reject } from "../connectors/source/row-sink.ts";
import type { ConnectionFinding, DatasetDescription } from "../connectors/source/source.ts";
import type { WriteStrategy } from "../connectors/target/target.ts";

/** Which warehouse, and what names of fewer than three parts are completed with. Each environment has its own. */
export interface WarehouseScope {
  readonly environment: string;
  readonly catalog: string;
  readonly schema: string;
}

/** The other side of a connector, with its secrets. It is told to the engine for one request, and kept nowhere. */
export interface ConnectionConfig {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface Dataset {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  readonly watermark: string | null;
  /** Columns that stay behind. */
  readonly leftOut: readonly string[];
  /** Of the rows of a run; above it the run fails and nothing moves. */
  readonly maxRejectShare: number;
  /** Whether rows that are gone from the source go from the target; only where whole tables are compared. */
  readonly deletes: boolean;
}

export interface TransferRequest {
  readonly scope: WarehouseScope;
  /** `in`: from the connection to the warehouse. */
  readonly direction: "in" | "out";
  readonly connector: string;
  readonly connection: ConnectionConfig;
  readonly dataset: Dataset;
  readonly run: string;
  /** Offers the rows that were rejected before once more. */
  readonly retryRejects: boolean;
}

export interface TransferResult {
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: number;
  readonly bytes: number;
  readonly watermark_before: string | null;
  readonly watermark_after: string | null;
  readonly watermark_time: string | null;
  /** Full names of warehouse tables that have changed. */
  readonly changed: readonly string[];
}

export interface Preview {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly rejects: readonly Reject[];
  readonly rejected: number;
  readonly samples: readonly { readonly action: string; readonly row: Readonly<Record<string, unknown>> }[];
  /** What the run would do to the table itself: `create shop.sales.orders`, `add the column note`. */
  readonly schema: readonly string[];
}

export interface QueryRequest {
  readonly scope: WarehouseScope;
  readonly sql: string;
  readonly dialect: "databricks" | "duckdb";
  /** Where the page begins, and how many rows it has at the most. */
  readonly skip: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly format: "json" | "arrow" | "count";
}

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** JSON: rows as lists, numbers that a double cannot hold as text. */
  readonly rows?: readonly (readonly unknown[])[];
  readonly arrow?: Uint8Array;
  /** How many rows this page has. */
  readonly count: number;
  readonly more: boolean;
  /** `count`: the value of one row with one integer column, else the number of rows. */
  readonly value?: number;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly comment: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

export interface CatalogTable {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  readonly comment: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly rows: number | null;
  readonly columns: readonly CatalogColumn[];
}

/** A table's count of changes: it grows with each transaction of ours that changes the table. */
export interface TableVersion {
  /** `catalog.schema.table` */
  readonly name: string;
  readonly version: number;
  readonly at: string;
}

export interface MetadataChange {
  readonly scope: WarehouseScope;
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** Absent: as it was. Null removes; in maps of tags, a null value removes that tag. */
  readonly comment?: string | null;
  readonly tags?: Readonly<Record<string, string | null>>;
  readonly columns: readonly {
    readonly column: string;
    readonly comment?: string | null;
    readonly tags?: Readonly<Record<string, string | null>>;
  }[];
}

export interface StoredReject extends Reject {
  readonly id: string;
  readonly dataset: string;
  readonly run: string;
  readonly time: string;
}

/** Everything that the engine can be asked: what it takes and what it gives. */
export interface EngineRequests {
  query: [QueryRequest, QueryResult];
  /** Tables with their columns; of a catalog, a schema or one table where it says so. */
  catalog: [
    { scope: WarehouseScope; catalog?: string; schema?: string; table?: string },
    { catalogs: string[]; schemas: { catalog: string; name: string }[]; tables: CatalogTable[] },
  ];
  metadata: [MetadataChange, { changed: boolean }];
  /** The text of an alter-metadata artifact: COMMENT ON, ALTER TABLE … SET TAGS and UNSET TAGS. All of it or nothing. */
  applyMetadata: [{ scope: WarehouseScope; sql: string }, { changed: boolean }];
  versions: [{ scope: WarehouseScope }, TableVersion[]];
  check: [
    {
      scope: WarehouseScope;
      direction: "in" | "out";
      connection: ConnectionConfig;
      datasets: readonly Dataset[];
    },
    ConnectionFinding[],
  ];
  discover: [
    { scope: WarehouseScope; direction: "in" | "out"; connection: ConnectionConfig },
    DatasetDescription[],
  ];
  preview: [TransferRequest, Preview];
  transfer: [TransferRequest, TransferResult];
  rejects: [
    { scope: WarehouseScope; datasets: readonly string[]; skip: number; limit: number },
    { rejects: StoredReject[]; total: number },
  ];
  flow: [FlowRequest, FlowResult];
  /** What a pipeline is made of, and everything that is wrong with it. It cannot write. */
  pipelinePlan: [PipelinePlanRequest, PipelinePlan];
  /** One update: every table in its turn, each in a transaction of its own. */
  pipeline: [PipelineUpdateRequest, PipelineUpdateResult];
  /** The pipeline is gone: its tables and views stay, as nobody's. It may be asked again, and of a pipeline that made nothing. */
  removePipeline: [{ scope: WarehouseScope; pipeline: string }, null];
  /** Statements of a caller, in one transaction, once for a mark. */
  script: [ScriptRequest, ScriptResult];
  /** The same without running it: what is wrong with it. It cannot write. */
  scriptPlan: [Omit<ScriptRequest, "idempotencyKey">, ScriptPlan];
  /** The environment is gone: so is its warehouse. */
  dropWarehouse: [{ environment: string }, null];
}

export interface FlowRequest {
  readonly scope: WarehouseScope;
  /** The body of a consumption flow, as code generation takes it. */
  readonly flow: Readonly<Record<string, unknown>>;
  readonly businessDate: string | null;
  readonly run: string;
}

export interface FlowResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unmatched: number;
  readonly failedChecks: readonly string[];
  readonly changed: readonly string[];
}

/** The code of a pipeline: its libraries in their order, with what `${…}` in them stands for. */
export interface PipelineCode {
  readonly scope: WarehouseScope;
  /** Its id: the tables that it makes are its own. */
  readonly pipeline: string;
  readonly sources: readonly PipelineSource[];
  readonly configuration: Readonly<Record<string, string>>;
}

/** Code that is looked at as an update of these tables would run it; without a choice, one of all, and none anew. */
export interface PipelinePlanRequest extends PipelineCode {
  readonly refresh?: PipelineUpdateRequest["refresh"];
  readonly fullRefresh?: PipelineUpdateRequest["fullRefresh"];
}

export interface PipelinePlan {
  readonly problems: readonly PipelineProblem[];
  readonly tables: readonly PlannedTable[];
}

/** A table, view or statement of a pipeline, in the order in which they run. */
export interface PlannedTable {
  /** `catalog.schema.table` */
  readonly name: string;
  readonly kind: "materialized_view" | "streaming_table" | "view" | "statement";
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly comment: string | null;
  /** Full names of all that it reads, those outside of the pipeline included. */
  readonly reads: readonly string[];
  /** Those of them that it reads as streams. */
  readonly streams: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    /** As Databricks calls it; null where it is not known before it has run. */
    readonly type: string | null;
    readonly from: readonly { readonly table: string; readonly column: string }[];
  }[];
  readonly expectations: readonly {
    readonly name: string;
    readonly condition: string;
    readonly action: "keep" | "drop" | "fail";
  }[];
}

export interface PipelineUpdateRequest extends PipelineCode {
  /** The run's id: what an earlier attempt of the same run has done is not done again. */
  readonly update: string;
  /** Names of tables, complete or short; the others are left as they are, and plain statements are not run. */
  readonly refresh: "all" | readonly string[];
  /** Those of them that are emptied first, and read their streams from the beginning. */
  readonly fullRefresh: "all" | readonly string[];
}

/** How it is with one table of an update; told as progress `tables` while it goes on. */
export interface TableUpdateStatus {
  readonly name: string;
  readonly kind: PlannedTable["kind"];
  /** `excluded`: not chosen for this update. `skipped`: what it reads has failed. */
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
  /** Rows that expectations kept out. */
  readonly rows_dropped: number;
  readonly seconds: number;
  readonly error: string | null;
}

export interface PipelineUpdateResult {
  readonly tables: readonly TableUpdateStatus[];
  readonly changed: readonly string[];
}

export interface ScriptRequest {
  readonly scope: WarehouseScope;
  /** One or more statements: queries, and DDL and DML on tables of the warehouse. */
  readonly sql: string;
  /** Values for `:name`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What some of them are, as a query calls it: `DECIMAL(10,2)`. Numbers are given that type, also those that come as text. */
  readonly types?: Readonly<Record<string, string>>;
  /** A script with this mark that has been committed is not run again: its answer is given. Null: it may only read. */
  readonly idempotencyKey: string | null;
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
  /** Of the last statement that is a query: its first rows, a hundred at the most. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
  /** Of one row with one column: its value, as it stands in JSON. */
  readonly value: unknown;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly changed: readonly string[];
}

export type RequestKind = keyof EngineRequests;
