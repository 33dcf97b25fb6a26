import type { TableName } from "../names/table-name.ts";
import type { AutoCdcFlow, Expectation, PipelineDataset, PlainMeaning } from "./plan.ts";
import type { SourceStatement } from "./statements/statement.ts";

/** A part of a statement that is analyzed later: its offset in the statement and its text. */
export interface SqlFragment {
  readonly at: number;
  readonly sql: string;
}

/** A query without STREAM and LIVE. Blanks replace them, so that all other tokens keep their offsets. */
export interface QueryDraft extends SqlFragment {
  readonly streams: readonly { readonly name: string; readonly at: number }[];
  /** Tables that are read without STREAM, as far as the tokens show it. */
  readonly batchReads: readonly string[];
}

/** A parsed statement, before its tables are resolved. */
export type StatementDraft = DatasetDraft | FlowDraft | PlainDraft;

interface DraftBase {
  readonly statement: SourceStatement;
  /** The statement could not be parsed completely; the problem is reported. */
  readonly isBroken: boolean;
}

export interface DatasetDraft extends DraftBase {
  readonly kind: "dataset";
  /** The offset of the dataset's name. */
  readonly at: number;
  readonly dataset: Pick<
    PipelineDataset,
    "table" | "kind" | "isPrivate" | "comment" | "declared" | "properties" | "clusterBy"
  >;
  readonly expectations: readonly (Omit<Expectation, "condition" | "location"> & {
    readonly condition: SqlFragment;
  })[];
  readonly query: QueryDraft | null;
}

export interface FlowDraft extends DraftBase {
  readonly kind: "flow";
  readonly name: string;
  readonly at: number;
  readonly target: { readonly table: TableName; readonly at: number };
  readonly once: boolean;
  readonly input:
    | { readonly query: QueryDraft; readonly cdc?: never }
    | { readonly cdc: CdcDraft; readonly query?: never };
}

/** The name of a column and its offset. */
export interface ColumnReference {
  readonly name: string;
  readonly at: number;
}

export interface ColumnChoice {
  readonly only: readonly ColumnReference[] | null;
  readonly except: readonly ColumnReference[];
}

export interface CdcDraft extends Pick<AutoCdcFlow, "ignoreNullUpdates" | "scdType"> {
  readonly source: { readonly table: TableName; readonly at: number; readonly isStream: boolean };
  readonly keys: readonly ColumnReference[];
  readonly sequenceBy: SqlFragment;
  readonly deleteWhen: SqlFragment | null;
  readonly truncateWhen: SqlFragment | null;
  readonly columns: ColumnChoice;
  readonly trackHistory: ColumnChoice | null;
}

export interface PlainDraft extends DraftBase {
  readonly kind: "plain";
  /** Null for a query, which only a script can have. */
  readonly meaning: PlainMeaning | null;
  /** The offset of the table name. */
  readonly at: number;
  /** The query of the statement; for UPDATE, DELETE and MERGE the whole statement. */
  readonly query: QueryDraft | null;
}

/** The parts of a plain statement that its parser determines. */
export type ParsedPlain = Pick<PlainDraft, "meaning" | "at" | "query">;
