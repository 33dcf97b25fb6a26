import type { WriteStrategy } from "@lakehelm/contract/connections";
import type { WarehouseColumn } from "./column.ts";
import type { WarehouseScope } from "./scope.ts";

export type { WriteStrategy } from "@lakehelm/contract/connections";

/** The system that a connector reads or writes, with its secrets. The engine gets it with each request and never stores it. */
/** A file in object storage, for a trigger that waits for files. */
export interface ArrivingFile {
  /** The path for messages. */
  readonly path: string;
  readonly size: number;
  /** Changes with the content. */
  readonly version: string;
}

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
  /**
   * How far below the watermark a run reads again, because rows may be committed later than others with a greater value: seconds
   * if the watermark is a date or a time, otherwise a number. Absent: 0.
   */
  readonly watermarkLag?: number;
  /** Columns that are not transferred. */
  readonly leftOut: readonly string[];
  /** The largest share of rejected rows in a run. Above it the run fails and writes nothing. */
  readonly maxRejectShare: number;
  /** Whether rows that disappear from the source are deleted from the target. With a watermark, all keys are read to find them. */
  readonly deletes: boolean;
  /** What happens to the values of a column that the source no longer has, when their rows are written again. */
  readonly onMissingColumn: "keep" | "null" | "fail";
  /**
   * `backfill`: rows that were loaded before a column was added at the source get the values of the column; absent:
   * they have NULL until they change.
   */
  readonly onAddedColumn?: "backfill";
  /**
   * `warn`: if others have removed rows of the target that no run would read again, the run only warns; absent: the run
   * fails.
   */
  readonly onLostRows?: "warn";
  /** The largest share of the target's rows that a run may delete. Above it the run fails and writes nothing. */
  readonly maxDeleteShare: number;
}

export interface TransferRequest {
  readonly scope: WarehouseScope;
  /** `in`: from the connection to the warehouse. */
  readonly direction: "in" | "out";
  readonly connector: string;
  readonly connection: ConnectionConfig;
  readonly dataset: Dataset;
  readonly run: string;
  /** Also transfers the rows that earlier runs rejected. */
  readonly retryRejects: boolean;
  /** Ignores the watermark: all rows are read, and the watermark is reset. */
  readonly fromStart?: boolean;
  /**
   * All rows are read, and a column whose type has changed gets the new type, even if that type does not hold the
   * existing values.
   */
  readonly changesTypes?: boolean;
  /** Whether the rows are those at a position of the source's log, which becomes the watermark. */
  readonly withPosition?: boolean;
  /** Only rows in this range of the watermark are read, and the watermark stays. */
  readonly window?: WatermarkWindow;
  /** Present if the tables are those of a Spark cluster; absent: those of the warehouse. */
  readonly cluster?: ClusterAccess;
}

/** A Spark cluster, with its token. The engine gets it with each request and never stores it. */
export interface ClusterAccess {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly token: string | null;
  readonly staging: StagingConfig;
}

/** Where rows are staged: a folder that the cluster and this machine both see, or a bucket with its settings. */
export interface StagingConfig {
  /** An absolute path, or `s3://bucket/prefix`. */
  readonly path: string;
  readonly [setting: string]: unknown;
}

/** From `from` up to `to`, which is not included, as the caller wrote them. */
export interface WatermarkWindow {
  readonly from: string;
  readonly to: string;
}

/** The watermark column of a dataset, with its type in the warehouse; `NUMERIC` for a number that fits no type there. */
export interface WatermarkColumn {
  readonly name: string;
  readonly type: string;
}

export interface TransferResult {
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: number;
  /** Rows that were not written because another row of the run has the same key. Absent: none. */
  readonly superseded?: number;
  readonly bytes: number;
  readonly watermark_before: string | null;
  readonly watermark_after: string | null;
  readonly watermark_time: string | null;
  readonly watermark_column: WatermarkColumn | null;
  /** Full names of the warehouse tables that changed. */
  readonly changed: readonly string[];
  /** What the owner of the connector should know although the run succeeded. */
  readonly warnings: readonly string[];
  /** What has changed in the columns of the source since the last run. Absent: nothing, or an export. */
  readonly schema_changes?: readonly RecordedSchemaChange[];
  /** The columns by which changes in the source's log find their row; empty: all columns. Absent: no log was read. */
  readonly log_keys?: readonly string[];
}

export interface RecordedSchemaChange {
  readonly change: "table_created" | "column_added" | "column_missing" | "column_widened" | "column_retyped";
  readonly column?: string;
  /** The type of an added column, or the new type of a column. */
  readonly type?: string;
  /** The values that existing rows have in an added column. */
  readonly existing_rows?: "null" | "backfilled";
  /** The type that the column had before. */
  readonly from_type?: string;
  /** The only new column of the same run: the missing column may have been renamed to it. */
  readonly renamed_to?: string;
}

/** The counts of a transfer that found nothing to do. */
export const nothingMoved = {
  read: 0,
  inserted: 0,
  updated: 0,
  deleted: 0,
  rejected: 0,
  bytes: 0,
  changed: [],
} satisfies Partial<TransferResult>;

export interface Preview {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  readonly rejects: readonly Reject[];
  readonly rejected: number;
  readonly samples: readonly { readonly action: string; readonly row: Readonly<Record<string, unknown>> }[];
  /** Changes to the table itself: `create shop.sales.orders`, `add the column note`. */
  readonly schema: readonly string[];
  /** What the owner of the connector should know, such as why the run would fail. */
  readonly warnings: readonly string[];
}

/** Why a row could not be transferred. */
export interface Refusal {
  /** Only for people who may read the row, because it may quote values. */
  readonly reason: string;
  /**
   * The reason without values, for errors, events and logs. Absent: the reason quotes at most the value of a column.
   */
  readonly cause?: string | undefined;
}

/** A row that could not be transferred, and the reason. */
export interface Reject extends Refusal {
  /** The row as far as it could be read: column → value. */
  readonly row: Readonly<Record<string, unknown>>;
}

export interface StoredReject extends Reject {
  readonly id: string;
  readonly dataset: string;
  readonly run: string;
  readonly time: string;
}

/** The result of one check of a connection: `can connect to shop at db:5432 as loader`. */
export interface ConnectionFinding {
  readonly ok: boolean;
  readonly sentence: string;
}

/** A table, file or collection that a connection offers. */
export interface DatasetDescription {
  /** As written in `source_dataset`. */
  readonly name: string;
  readonly columns: readonly (WarehouseColumn & { readonly nullable: boolean })[];
  /** Columns that are read only when a dataset names them, for example as its watermark: the modification time of a row's file. */
  readonly hidden?: readonly WarehouseColumn[];
  readonly primary_keys: readonly string[];
  /** Columns that grow whenever a row changes, the best candidate first: modification times, then increasing numbers. */
  readonly watermark_candidates: readonly string[];
  /** Null if the source does not know it without counting. */
  readonly rows: number | null;
}

/** One run of a connector that reads the log of its source. */
export interface CaptureRequest
  extends Pick<TransferRequest, "scope" | "connector" | "connection" | "run" | "retryRejects" | "cluster"> {
  /** All datasets of the connector, because the log is kept for the dataset that is furthest behind. */
  readonly datasets: readonly Dataset[];
  /** The ids of the datasets that this run moves. */
  readonly chosen: readonly string[];
  /** Reads all rows again, also if the log is lost. */
  readonly fromStart: boolean;
}

export interface CaptureOutcome {
  readonly id: string;
  readonly seconds: number;
  readonly result?: TransferResult;
  readonly failure?: { readonly sentence: string; readonly retryable: boolean };
}

/** How far behind the warehouse was, in bytes of the source's log. */
export interface CaptureLag {
  readonly slot: string;
  /** When the run began, and when it ended. */
  readonly lag_bytes_before: number;
  readonly lag_bytes: number;
  /** What the source keeps on its disk for this connector, when the run ended. */
  readonly retained_bytes: number;
}

export interface CaptureResult {
  readonly datasets: readonly CaptureOutcome[];
  readonly log: CaptureLag | null;
}
