import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { NameDefaults, TableName } from "@lakehelm/sql/names";

/** A table of the request, with the lakehouse table that it reads. */
export interface ReverseEtlTable {
  readonly table: TableSettings;
  readonly source: TableName;
  /** Whether to leave out columns that the catalog marks as personal when the code runs. */
  readonly suppressed: boolean;
}

interface ReverseEtlContext {
  readonly connector: string;
  /** Lakehouse tables for the connector's own data. */
  readonly state: TableName;
  readonly rejects: TableName;
  readonly defaults: NameDefaults;
}

interface ReverseEtlTarget {
  readonly problems: readonly string[];
  /** The name of the kind in a sentence. */
  readonly title: string;
  /** Whether rows in the target can be compared and taken back. */
  readonly isDatabase: boolean;
  /** How the rows are written, and why: a sentence without text of the request. */
  readonly choice: string;
  /** Call it only if there are no problems. */
  readonly notebook: () => { readonly content: string; readonly statements: readonly string[] };
}

/** A kind of target: reads its config and writes the notebook. */
export type TargetKind = (
  config: Config,
  sources: readonly ReverseEtlTable[],
  context: ReverseEtlContext,
) => ReverseEtlTarget;
