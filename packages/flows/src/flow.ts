import type { QuartzSchedule } from "@lakehelm/schedule";
import type { ColumnSource } from "@lakehelm/sql";
import { siblingTable, type TableName } from "@lakehelm/sql/names";
import type { ColumnType } from "./column-type.ts";

export interface FlowColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
  readonly notNull: boolean;
}

/** A column that the caller's `target_schema` names. */
export interface TargetColumn extends FlowColumn {
  readonly isKey: boolean;
  readonly isPersonal: boolean;
  readonly terms: readonly string[];
}

export interface ForeignKey {
  readonly column: FlowColumn;
  readonly parent: TableName;
  readonly parentColumn: string;
}

/** A SELECT of the caller, as it was sent. */
export interface FlowQuery {
  readonly text: string;
  readonly columns: readonly string[];
  readonly tables: readonly string[];
  readonly lineage: Readonly<Record<string, readonly ColumnSource[]>>;
}

/** What becomes of the table's rows in a run. */
export type PublishMode =
  /** No key: the run's rows are the table, or one business date of it. */
  | "replace"
  /** SCD 1: one row a key, the latest. */
  | "upsert"
  /** SCD 2: a time line for each key, told by the sequence column. */
  | "history"
  /** SCD 2 without a sequence: a version is valid from the run that found it. */
  | "history by run";

/** What starts a flow. */
export type FlowTrigger =
  | { readonly kind: "schedule"; readonly schedule: QuartzSchedule }
  | { readonly kind: "table_update"; readonly tables: readonly string[] }
  | { readonly kind: "manual" };

/** A request that was read and found sound. */
export interface ConsumptionFlow {
  readonly name: string;
  readonly slug: string;
  readonly requestedBy: string;
  readonly warehouse: string | null;
  readonly description: string;
  readonly trigger: FlowTrigger;
  readonly target: TableName;
  readonly sources: readonly TableName[];
  /** What the caller's SQL needs as the current schema, so that shorter names mean what was checked. */
  readonly currentSchema: { readonly catalog: string; readonly schema: string } | null;
  readonly columns: readonly TargetColumn[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly clusterBy: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly publishing: PublishMode;
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

/** The tables that belong to a flow beside its target. */
export const unmatchedTable = (target: TableName): TableName => siblingTable(target, "_unmatched");
export const recheckedTable = (target: TableName): TableName => siblingTable(target, "_rechecked");
export const qualityTable = (target: TableName): TableName => siblingTable(target, "_quality");

/** Views of one run. No table of a caller may have such a name, nor may a column. */
export const ownPrefix = "lakehelm_";
export const views = {
  matched: `${ownPrefix}matched`,
  unmatched: `${ownPrefix}unmatched`,
  recheck: `${ownPrefix}recheck`,
  rechecked: `${ownPrefix}rechecked`,
  rows: `${ownPrefix}rows`,
  run: `${ownPrefix}run`,
  changes: `${ownPrefix}changes`,
  newUnmatched: `${ownPrefix}new_unmatched`,
} as const;

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
