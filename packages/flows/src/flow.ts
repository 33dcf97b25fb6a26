import type { CheckSeverity, FlowStrategy } from "@lakehelm/contract";
import type { QuartzSchedule } from "@lakehelm/schedule";
import type { ColumnSource, TableReference } from "@lakehelm/sql";
import { siblingTable, type TableName } from "@lakehelm/sql/names";
import type { ColumnType } from "./column-type.ts";

export interface FlowColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
  readonly notNull: boolean;
}

/** A column of the caller's `target_schema`. */
export interface TargetColumn extends FlowColumn {
  readonly isKey: boolean;
  readonly isPersonal: boolean;
  readonly terms: readonly string[];
}

export interface ForeignKey {
  readonly column: FlowColumn;
  readonly parent: TableName;
  readonly parentColumn: string;
  readonly severity: CheckSeverity;
}

/** A SELECT of the caller, unchanged. */
export interface FlowQuery {
  readonly text: string;
  readonly columns: readonly string[];
  readonly tables: readonly string[];
  /** Where the text names the tables. */
  readonly references: readonly TableReference[];
  /** Tables of a `*` with unknown columns: when the flow runs, it selects the target's columns by name. */
  readonly chosenByName: readonly string[];
  readonly lineage: Readonly<Record<string, readonly ColumnSource[]>>;
}

/** By the plain name of a table: the columns that a catalog knows, with their types. */
export type KnownColumns = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** How a run changes the rows of the table. */
export type PublishMode =
  /** The run's rows replace the table, or one business date of it. If there is a key, each key occurs once. */
  | "replace"
  /** SCD 1: the latest row of each key. */
  | "upsert"
  /** SCD 2: a history for each key, ordered by the sequence column. */
  | "history"
  /** SCD 2 without a sequence: a version is valid from the first run that reads it. */
  | "history by run";

export interface MissingKeys {
  /** A run that would remove a larger share of the rows fails. */
  readonly maxShare: number;
}

/** What starts a flow. */
export type FlowTrigger =
  | { readonly kind: "schedule"; readonly schedule: QuartzSchedule }
  | { readonly kind: "table_update"; readonly tables: readonly string[] }
  | { readonly kind: "manual" };

/** A validated request. */
export interface ConsumptionFlow {
  readonly name: string;
  readonly slug: string;
  readonly requestedBy: string;
  readonly warehouse: string | null;
  readonly description: string;
  readonly trigger: FlowTrigger;
  readonly target: TableName;
  readonly sources: readonly TableName[];
  readonly columns: readonly TargetColumn[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly clusterBy: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly strategy: FlowStrategy;
  readonly publishing: PublishMode;
  /** If a run does not return a key, the key is deleted or, in a history, closed; null: such keys stay unchanged. */
  readonly missingKeys: MissingKeys | null;
  /** The severity of checks that declare none. */
  readonly checkSeverity: CheckSeverity;
  readonly sequence: TargetColumn | null;
  readonly businessDate: TargetColumn | null;
  readonly surrogateKey: string | null;
  readonly matched: FlowQuery;
  readonly unmatched: FlowQuery | null;
  readonly recheck: FlowQuery | null;
}

export const keyOf = ({ columns }: Pick<ConsumptionFlow, "columns">): TargetColumn[] =>
  columns.filter(({ isKey }) => isKey);

export const isHistory = ({ publishing }: Pick<ConsumptionFlow, "publishing">): boolean =>
  publishing.startsWith("history");

/** The additional tables of a flow. */
export const unmatchedTable = (target: TableName): TableName => siblingTable(target, "_unmatched");
export const recheckedTable = (target: TableName): TableName => siblingTable(target, "_rechecked");
export const qualityTable = (target: TableName): TableName => siblingTable(target, "_quality");

/** The prefix of a run's views. Callers' tables and columns cannot use it. */
export const ownPrefix = "lakehelm_";
export const views = {
  matched: `${ownPrefix}matched`,
  unmatched: `${ownPrefix}unmatched`,
  recheck: `${ownPrefix}recheck`,
  rechecked: `${ownPrefix}rechecked`,
  rows: `${ownPrefix}rows`,
  run: `${ownPrefix}run`,
  latest: `${ownPrefix}latest`,
  stored: `${ownPrefix}stored`,
  changes: `${ownPrefix}changes`,
  newUnmatched: `${ownPrefix}new_unmatched`,
} as const;

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
