import type { MetadataStatement } from "../grammar/metadata.ts";
import type { NameDefaults, TableName } from "../names.ts";
import type { ColumnSource } from "../query/column-sources.ts";

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
  readonly tables: ReadonlyMap<string, readonly string[]>;
}

/** Where something stands in the files. That of a SELECT, a condition or a plain statement is where its text begins. */
export interface FileLocation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** From this offset on, a text is a copy of what stands there in its file; or, without `isCopy`, the value of a `${key}`. */
export interface SourceSegment extends FileLocation {
  readonly from: number;
  readonly isCopy: boolean;
}

export interface Expectation {
  readonly name: string;
  /** In the Databricks dialect, over the columns of the dataset. */
  readonly condition: string;
  readonly action: "keep" | "drop" | "fail";
  readonly location: FileLocation;
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
export type PipelineFlow =
  | {
      readonly kind: "select";
      /** The flow's own name where it has one (`CREATE FLOW`), else that of its dataset. */
      readonly name: string;
      readonly select: string;
      /** Where `select` stands: see `placeIn`. */
      readonly segments: readonly SourceSegment[];
      readonly reads: readonly string[];
      /** Those of them that are read as streams: at the most one in a SELECT. */
      readonly streams: readonly string[];
      /** `INSERT INTO ONCE`: only in the first update, and after a full refresh. */
      readonly once: boolean;
      readonly defaults: NameDefaults;
      readonly location: FileLocation;
    }
  | AutoCdcFlow;

export interface AutoCdcFlow {
  readonly kind: "auto_cdc";
  readonly name: string;
  /** Full name. */
  readonly source: string;
  readonly reads: readonly string[];
  readonly streams: readonly string[];
  /** As with a SELECT; then the source need not be a stream. */
  readonly once: boolean;
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
  readonly location: FileLocation;
}

export interface DatasetColumn {
  readonly name: string;
  /**
   * What the SELECT of a dataset calls it, where the head of the dataset gives another name by position. The columns
   * stand in the order of the head if it has any, which need not be that of the SELECT: `selected` tells which is which.
   */
  readonly selected: string;
  readonly from: readonly ColumnSource[];
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
  readonly flows: readonly PipelineFlow[];
  /** What it gives, as far as that is known before it runs, and what that is made of. */
  readonly columns: readonly DatasetColumn[];
  readonly location: FileLocation;
}

/** What a plain statement is about. `select` is the end of the statement's text, from its query on. */
export type PlainMeaning =
  | {
      readonly verb: "create_table";
      readonly table: TableName;
      readonly orReplace: boolean;
      readonly ifNotExists: boolean;
      /** Of `CREATE TABLE … AS` without a list: empty. */
      readonly columns: readonly DeclaredColumn[];
      readonly comment: string | null;
      readonly clusterBy: readonly string[];
      readonly select: string | null;
    }
  | { readonly verb: "drop_table" | "drop_view"; readonly table: TableName; readonly ifExists: boolean }
  | {
      readonly verb: "insert";
      readonly table: TableName;
      readonly overwrite: boolean;
      readonly byName: boolean;
      readonly columns: readonly string[] | null;
      readonly select: string;
    }
  | { readonly verb: "update" | "delete" | "merge" | "truncate"; readonly table: TableName }
  | { readonly verb: "add_columns"; readonly table: TableName; readonly columns: readonly DeclaredColumn[] }
  /** Descriptions and tags. */
  | { readonly verb: "describe"; readonly table: TableName; readonly change: MetadataStatement }
  /** Properties, clustering and keys that nobody enforces: they say how Databricks keeps a table. */
  | { readonly verb: "keep"; readonly table: TableName }
  | {
      readonly verb: "create_schema";
      readonly catalog: string;
      readonly schema: string;
      readonly ifNotExists: boolean;
    };

/** DDL and DML that stands in a pipeline by itself. */
export interface PlainStatement {
  /** As it was written, `${…}` replaced. */
  readonly sql: string;
  readonly meaning: PlainMeaning;
  readonly segments: readonly SourceSegment[];
  /** Full names. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly defaults: NameDefaults;
  readonly location: FileLocation;
}

/** A statement of a script. */
export type ScriptStatement =
  | ({ readonly kind: "plain"; readonly verb: PlainMeaning["verb"] } & PlainStatement & WithParameters)
  | ({
      readonly kind: "query";
      readonly sql: string;
      readonly reads: readonly string[];
      readonly defaults: NameDefaults;
      readonly segments: readonly SourceSegment[];
      readonly location: FileLocation;
    } & WithParameters);

interface WithParameters {
  /** Each `:name` in `sql`, by offsets; the colon is part of it. */
  readonly parameters: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** SQL of a task, read. */
export type ScriptAnalysis =
  | { readonly problems: readonly PipelineProblem[]; readonly statements?: never }
  | { readonly problems?: never; readonly statements: readonly ScriptStatement[] };

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
