import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";
import { databaseTarget } from "./databases/database-target.ts";
import { mysql } from "./databases/dialects/mysql.ts";
import { postgresql } from "./databases/dialects/postgresql.ts";
import { snowflake } from "./databases/dialects/snowflake.ts";
import { sqlserver } from "./databases/dialects/sqlserver.ts";
import { httpTarget } from "./http/http-target.ts";

/** A table of the request, with the lakehouse table that it comes from. */
export interface ReverseEtlTable {
  readonly table: TableSettings;
  readonly source: TableName;
}

interface ReverseEtlContext {
  readonly connector: string;
  /** Tables of the lakehouse that belong to the connector. */
  readonly state: TableName;
  readonly rejects: TableName;
}

interface ReverseEtlTarget {
  readonly problems: readonly string[];
  /** As it stands in a sentence. */
  readonly title: string;
  readonly packages: readonly string[];
  /** To be asked for only where there are no problems. */
  readonly notebook: () => { readonly content: string; readonly statements: readonly string[] };
}

/** A kind of target: reads its config, and writes the notebook. */
export type TargetKind = (
  config: Config,
  sources: readonly ReverseEtlTable[],
  enclosing: ReverseEtlContext,
) => ReverseEtlTarget;

const targets: ReadonlyMap<string, TargetKind> = new Map([
  ["postgresql", databaseTarget(postgresql)],
  ["postgres", databaseTarget(postgresql)],
  ["mysql", databaseTarget(mysql)],
  ["sqlserver", databaseTarget(sqlserver)],
  ["snowflake", databaseTarget(snowflake)],
  ["http", httpTarget],
]);

export const targetTypes: readonly string[] = [...targets.keys()];

export const targetKind = (type: string): TargetKind | undefined => targets.get(type.toLowerCase());
