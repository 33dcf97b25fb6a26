import type { MetadataStatement } from "../grammar/metadata.ts";
import type { NameDefaults, TableName } from "../names/table-name.ts";
import type { ColumnSource } from "../query/column-sources.ts";

/** A source of a pipeline: an SQL file, or an SQL notebook in source format. */
export interface PipelineSource {
  readonly path: string;
  readonly text: string;
}

/** A problem and its location. Line and column count from 1, in the file as it was sent. */
export interface PipelineProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PlanRules {
  /** The defaults for names of fewer than three parts. */
  readonly catalog: string;
  readonly schema: string;
  /** The values of `${key}`. */
  readonly configuration: Readonly<Record<string, string>>;
  /** The columns of existing tables and views, by `catalog.schema.table` in lower case. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Existing tables with unknown columns. */
  readonly unknown?: readonly string[];
  /** Other tables may also exist, with unknown columns, because the catalog was not read. */
  readonly othersExist?: true;
}

/** A location in a file. For a SELECT, a condition or a plain statement: the start of its text. */
export interface FileLocation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** From the offset `from` on, a text is copied from its file (`isCopy`), or is the value of a `${key}`. */
export interface SourceSegment extends FileLocation {
  readonly from: number;
  readonly isCopy: boolean;
}

export interface Expectation {
  readonly name: string;
  /** An expression in the Databricks dialect over the columns of the dataset. */
  readonly condition: string;
  readonly action: "keep" | "drop" | "fail";
  readonly location: FileLocation;
}

/** A column in the head of a dataset. */
export interface DeclaredColumn {
  readonly name: string;
  /** Null: the type of the SELECT. */
  readonly type: string | null;
  readonly comment: string | null;
  readonly notNull: boolean;
}

/** A flow that fills a dataset. Texts are in the Databricks dialect, with `${…}` replaced and STREAM removed. */
export type PipelineFlow =
  | {
      readonly kind: "select";
      /** The name in `CREATE FLOW`, or the name of the dataset. */
      readonly name: string;
      readonly select: string;
      /** Locations of `select` in its file: see `locateInFile`. */
      readonly segments: readonly SourceSegment[];
      readonly reads: readonly string[];
      /** The tables that are read as streams: at most one in a SELECT. */
      readonly streams: readonly string[];
      /** `INSERT INTO ONCE`: runs only in the first update and after a full refresh. */
      readonly once: boolean;
      readonly defaults: NameDefaults;
      readonly location: FileLocation;
    }
  | AutoCdcFlow;

export interface AutoCdcFlow {
  readonly kind: "auto_cdc";
  readonly name: string;
  /** The full name of the source. */
  readonly source: string;
  readonly reads: readonly string[];
  readonly streams: readonly string[];
  /** As for a SELECT, but with `once` the source need not be a stream. */
  readonly once: boolean;
  readonly keys: readonly string[];
  /** Expressions over the columns of the source. */
  readonly sequenceBy: string;
  readonly deleteWhen: string | null;
  readonly truncateWhen: string | null;
  readonly ignoreNullUpdates: boolean;
  /** If `only` is null: all except `except`. */
  readonly columns: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  readonly scdType: 1 | 2;
  /** For type 2: the columns whose changes create a new version; null: all. */
  readonly trackHistory: {
    readonly only: readonly string[] | null;
    readonly except: readonly string[];
  } | null;
  readonly location: FileLocation;
}

export interface DatasetColumn {
  readonly name: string;
  /**
   * The column's name in the SELECT, if the head of the dataset renames it by position. With a head, the columns are in
   * the order of the head, which can differ from the order of the SELECT.
   */
  readonly selected: string;
  readonly from: readonly ColumnSource[];
}

export interface PipelineDataset {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  readonly table: TableName;
  readonly kind: "materialized_view" | "streaming_table" | "view";
  /** Visible only in the pipeline: private views, `PRIVATE` and `TEMPORARY` tables. */
  readonly isPrivate: boolean;
  readonly comment: string | null;
  readonly declared: readonly DeclaredColumn[];
  readonly expectations: readonly Expectation[];
  readonly properties: Readonly<Record<string, string>>;
  readonly clusterBy: readonly string[];
  /** The flows in the order of the text. A view or materialized view has one; a streaming table can have several. */
  readonly flows: readonly PipelineFlow[];
  /** The columns of the dataset, with their sources. */
  readonly columns: readonly DatasetColumn[];
  readonly location: FileLocation;
}

/** The meaning of a plain statement. `select` is the end of its text, from its query on. */
export type PlainMeaning =
  | {
      readonly verb: "create_table";
      readonly table: TableName;
      readonly orReplace: boolean;
      readonly ifNotExists: boolean;
      /** Empty for `CREATE TABLE … AS` without a column list. */
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
  /** A statement about descriptions and tags. */
  | { readonly verb: "describe"; readonly table: TableName; readonly change: MetadataStatement }
  /**
   * A statement about properties, clustering or keys that are not enforced: it describes how Databricks stores a table.
   */
  | { readonly verb: "keep"; readonly table: TableName }
  | {
      readonly verb: "create_schema";
      readonly catalog: string;
      readonly schema: string;
      readonly ifNotExists: boolean;
    };

/** A DDL or DML statement. */
export interface PlainStatement {
  /** As written, with `${…}` replaced. */
  readonly sql: string;
  readonly meaning: PlainMeaning;
  readonly segments: readonly SourceSegment[];
  /** The full names of the tables. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly defaults: NameDefaults;
  readonly location: FileLocation;
}

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
  /** Each `:name` in `sql`, by offsets that include the colon. */
  readonly parameters: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** The analyzed SQL of a task: problems or statements. */
export type ScriptAnalysis =
  | { readonly problems: readonly PipelineProblem[]; readonly statements?: never }
  | { readonly problems?: never; readonly statements: readonly ScriptStatement[] };

/** The analyzed code of a pipeline: problems, or steps in order. */
export type PipelinePlan = {
  /** The full names of the tables and views that other pipelines can read, including those with problems. */
  readonly names: readonly string[];
  /** The full names of other tables that the pipeline reads or writes. */
  readonly others: readonly string[];
} & (
  | { readonly problems: readonly PipelineProblem[]; readonly steps?: never }
  | {
      readonly problems?: never;
      /** Each step comes after the steps that write the tables it reads. */
      readonly steps: readonly (
        | { readonly dataset: PipelineDataset; readonly statement?: never }
        | { readonly statement: PlainStatement; readonly dataset?: never }
      )[];
    }
);
