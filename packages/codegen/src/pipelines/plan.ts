import type { TableName } from "../names.ts";
import type { ColumnSource } from "../sql/select/sources.ts";

/** One library of a pipeline: an SQL file, or an SQL notebook in its source form. */
export interface PipelineSource {
  readonly path: string;
  readonly text: string;
}

/** What is wrong, and where: line and column count from 1, in the file as it was sent. */
export interface PipelineProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PlanRules {
  /** What names of fewer than three parts are completed with. */
  readonly catalog: string;
  readonly schema: string;
  /** What `${key}` stands for. */
  readonly configuration: Readonly<Record<string, string>>;
  /** The columns of tables and views that are there before the pipeline runs, by `catalog.schema.table` in lower case. */
  readonly known: ReadonlyMap<string, readonly string[]>;
}

/** Where something stands in the files. */
export interface SourcePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface Expectation {
  readonly name: string;
  /** In the Databricks dialect, over the columns of the dataset. */
  readonly condition: string;
  readonly action: "keep" | "drop" | "fail";
  readonly at: SourcePlace;
}

/** A column that a dataset declares in its head. */
export interface DeclaredColumn {
  readonly name: string;
  /** Absent: that of the SELECT. */
  readonly type: string | null;
  readonly comment: string | null;
  readonly notNull: boolean;
}

/** What fills a dataset. The texts are in the Databricks dialect, `${…}` replaced, STREAM taken away. */
export type Feeding =
  | {
      readonly kind: "select";
      /** The flow's own name where it has one (`CREATE FLOW`), else that of its dataset. */
      readonly flow: string;
      readonly select: string;
      readonly reads: readonly string[];
      /** Those of them that are read as streams: at the most one in a SELECT. */
      readonly streams: readonly string[];
      /** `INSERT INTO ONCE`: only in the first update, and after a full refresh. */
      readonly once: boolean;
      readonly at: SourcePlace;
    }
  | AutoCdc;

export interface AutoCdc {
  readonly kind: "auto_cdc";
  readonly flow: string;
  /** Full name. */
  readonly source: string;
  readonly reads: readonly string[];
  readonly streams: readonly string[];
  readonly keys: readonly string[];
  /** Expressions over the source's columns. */
  readonly sequenceBy: string;
  readonly deleteWhen: string | null;
  readonly truncateWhen: string | null;
  readonly ignoreNullUpdates: boolean;
  /** All but `except` where `only` is null. */
  readonly columns: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  readonly scdType: 1 | 2;
  /** Of type 2: whose changes make a new version; null: of all. */
  readonly trackHistory: {
    readonly only: readonly string[] | null;
    readonly except: readonly string[];
  } | null;
  readonly at: SourcePlace;
}

export interface PipelineDataset {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  readonly table: TableName;
  readonly kind: "materialized_view" | "streaming_table" | "view";
  /** A view that only the pipeline sees; also `PRIVATE` and `TEMPORARY` tables. */
  readonly isPrivate: boolean;
  readonly comment: string | null;
  readonly declared: readonly DeclaredColumn[];
  readonly expectations: readonly Expectation[];
  readonly properties: Readonly<Record<string, string>>;
  readonly clusterBy: readonly string[];
  /** In the order of the text. One for a view or a materialized view; a streaming table may have several. */
  readonly feeding: readonly Feeding[];
  /** What it gives, as far as that is known before it runs, and what that is made of. */
  readonly columns: readonly { readonly name: string; readonly from: readonly ColumnSource[] }[];
  readonly at: SourcePlace;
}

/** DDL and DML that stands in a pipeline by itself. */
export interface PlainStatement {
  readonly sql: string;
  /** Full names. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly at: SourcePlace;
}

/** A pipeline's code, read: problems, or what runs in which order. */
export type PipelinePlan =
  | { readonly problems: readonly PipelineProblem[]; readonly steps?: never }
  | {
      readonly problems?: never;
      /** What reads something comes after what makes it. */
      readonly steps: readonly (
        | { readonly dataset: PipelineDataset; readonly statement?: never }
        | { readonly statement: PlainStatement; readonly dataset?: never }
      )[];
    };
