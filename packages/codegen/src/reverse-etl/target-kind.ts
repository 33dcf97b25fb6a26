import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";

/** A table of the request, with the lakehouse table that it reads. */
export interface ReverseEtlTable {
  readonly table: TableSettings;
  readonly source: TableName;
}

interface ReverseEtlContext {
  readonly connector: string;
  /** Lakehouse tables of the connector itself. */
  readonly state: TableName;
  readonly rejects: TableName;
}

interface ReverseEtlTarget {
  readonly problems: readonly string[];
  /** How a sentence names it. */
  readonly title: string;
  readonly packages: readonly string[];
  /** Call it only if there are no problems. */
  readonly notebook: () => { readonly content: string; readonly statements: readonly string[] };
}

/** A kind of target: reads its config and writes the notebook. */
export type TargetKind = (
  config: Config,
  sources: readonly ReverseEtlTable[],
  context: ReverseEtlContext,
) => ReverseEtlTarget;
