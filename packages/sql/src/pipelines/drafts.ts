import type { TableName } from "../names.ts";
import type { AutoCdcFlow, Expectation, PipelineDataset, PlainMeaning } from "./plan.ts";
import type { SourceStatement } from "./statements/statement.ts";

/** A part of a statement that is read later: where it begins in the statement's text, and its own text. */
export interface SqlFragment {
  readonly at: number;
  readonly sql: string;
}

/** A query whose STREAM and LIVE are taken away: blanks stand for them, so that the rest stays in its place. */
export interface QueryDraft extends SqlFragment {
  readonly streams: readonly { readonly name: string; readonly at: number }[];
  /** Tables that are read as a whole, as far as the words tell. */
  readonly batchReads: readonly string[];
}

/** A statement whose words were read, before anything is known of the tables in it. */
export type StatementDraft = DatasetDraft | FlowDraft | PlainDraft;

interface DraftBase {
  readonly statement: SourceStatement;
  /** It could not be read to its end, and that was told. */
  readonly isBroken: boolean;
}

export interface DatasetDraft extends DraftBase {
  readonly kind: "dataset";
  /** Where its name stands. */
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

/** A column by its name, and where that stands. */
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
  /** Null for a query, which only a script may have. */
  readonly meaning: PlainMeaning | null;
  /** Where the table's name stands. */
  readonly at: number;
  /** The query in it; the statement as a whole where it changes rows in another way than by INSERT. */
  readonly query: QueryDraft | null;
}
