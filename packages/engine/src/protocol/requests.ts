import type { AlterTableRequest, AlterTableResult } from "./alteration.ts";
import type { CatalogMetadataChange, CatalogTable, TableVersion } from "./catalog.ts";
import type { FlowFinding, FlowPlanRequest, FlowRequest, FlowResult } from "./flow.ts";
import type { RunUpdateRequest, RunUpdateResult, UpdatePlan, UpdatePlanRequest } from "./pipeline.ts";
import type { QueryRequest, QueryResult } from "./query.ts";
import type { WarehouseScope } from "./scope.ts";
import type { ScriptPlan, ScriptPlanRequest, ScriptRequest, ScriptResult } from "./script.ts";
import type {
  ArrivingFile,
  CaptureRequest,
  CaptureResult,
  ConnectionConfig,
  ConnectionFinding,
  Dataset,
  DatasetDescription,
  Preview,
  StoredReject,
  TransferRequest,
  TransferResult,
} from "./transfer.ts";

/** Every kind of request to the engine, with its body and its result. */
export interface EngineRequests {
  query: [QueryRequest, QueryResult];
  /** Tables and their columns, optionally only those of one catalog, one schema or one table. */
  catalog: [
    { scope: WarehouseScope; catalog?: string; schema?: string; table?: string },
    { catalogs: string[]; schemas: { catalog: string; name: string }[]; tables: CatalogTable[] },
  ];
  metadata: [CatalogMetadataChange, { changed: boolean }];
  /** Runs an alter-metadata artifact (COMMENT ON, ALTER TABLE … SET TAGS and UNSET TAGS) in one transaction. */
  applyMetadata: [{ scope: WarehouseScope; sql: string }, { changed: boolean }];
  /** Plans changes of the columns of a table, and makes them if the request has the expected columns. */
  alterTable: [AlterTableRequest, AlterTableResult];
  /** `tables`: the tables of interest; other tables may be left out. */
  versions: [{ scope: WarehouseScope; tables?: readonly string[] }, TableVersion[]];
  check: [
    {
      scope: WarehouseScope;
      direction: "in" | "out";
      /** The connector's id. */
      connector: string;
      connection: ConnectionConfig;
      datasets: readonly Dataset[];
      /** Whether the tables are in a cluster instead of the warehouse. */
      hasOtherTables?: boolean;
    },
    ConnectionFinding[],
  ];
  discover: [
    { scope: WarehouseScope; direction: "in" | "out"; connection: ConnectionConfig },
    DatasetDescription[],
  ];
  /** The files of datasets in object storage. */
  listFiles: [
    { scope: WarehouseScope; connection: ConnectionConfig; datasets: readonly string[] },
    ArrivingFile[],
  ];
  preview: [TransferRequest, Preview];
  transfer: [TransferRequest, TransferResult];
  /** One run of a connector that reads the log of its source: snapshots of new datasets, changes of the others. */
  capture: [CaptureRequest, CaptureResult];
  /**
   * Removes what a connector created in its source to read the log. Does nothing if there is nothing to remove. `left`:
   * a sentence about a slot that the connector did not create, and for which the source keeps its log.
   */
  endCapture: [
    Pick<CaptureRequest, "scope" | "connector" | "connection">,
    { removed: boolean; left?: string | undefined },
  ];
  rejects: [
    { scope: WarehouseScope; datasets: readonly string[]; skip: number; limit: number },
    { rejects: StoredReject[]; total: number },
  ];
  flow: [FlowRequest, FlowResult];
  /** Whether the warehouse can run a flow. Never writes. */
  flowPlan: [FlowPlanRequest, FlowFinding];
  /** The tables of a pipeline and all problems in its code. Never writes. */
  pipelinePlan: [UpdatePlanRequest, UpdatePlan];
  /** One update: the tables in order, each in its own transaction. */
  pipeline: [RunUpdateRequest, RunUpdateResult];
  /** Ends a pipeline's ownership: its tables and views stay. Idempotent, also for a pipeline that created nothing. */
  removePipeline: [{ scope: WarehouseScope; pipeline: string }, null];
  /** Runs statements in one transaction, once per idempotency key. */
  script: [ScriptRequest, ScriptResult];
  /** The problems of a script. Never writes. */
  scriptPlan: [ScriptPlanRequest, ScriptPlan];
  /**
   * Lets nothing commit in the warehouse of an environment, and nothing open it, until the request is cancelled.
   * Reports the progress `{ held: true }` once commits are held.
   */
  holdCommits: [{ environment: string }, null];
  /** Deletes the warehouse of an environment. */
  dropWarehouse: [{ environment: string }, null];
}

export type RequestKind = keyof EngineRequests;
