import { databaseTarget } from "./databases/database-target.ts";
import { mysql } from "./databases/dialects/mysql.ts";
import { postgresql } from "./databases/dialects/postgresql.ts";
import { snowflake } from "./databases/dialects/snowflake.ts";
import { sqlserver } from "./databases/dialects/sqlserver.ts";
import { httpTarget } from "./http/http-target.ts";
import type { TargetKind } from "./target-kind.ts";

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
