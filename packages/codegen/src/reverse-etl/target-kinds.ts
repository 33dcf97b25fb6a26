import { connectionKind, kindsFor, namesOf } from "@lakehelm/contract/connections";
import { databaseTarget } from "./databases/database-target.ts";
import { mysql } from "./databases/dialects/mysql.ts";
import { postgresql } from "./databases/dialects/postgresql.ts";
import { snowflake } from "./databases/dialects/snowflake.ts";
import { sqlserver } from "./databases/dialects/sqlserver.ts";
import { httpTarget } from "./http/http-target.ts";
import type { TargetKind } from "./target-kind.ts";

/** The code for each kind of target that generated code writes to. */
const targets: Readonly<Record<string, TargetKind>> = {
  postgresql: databaseTarget(postgresql),
  mysql: databaseTarget(mysql),
  sqlserver: databaseTarget(sqlserver),
  snowflake: databaseTarget(snowflake),
  http: httpTarget,
};

export const targetTypes = (): readonly string[] => kindsFor("target", "byGeneratedCode").flatMap(namesOf);

export function targetKind(type: string): TargetKind | undefined {
  const name = connectionKind(type)?.name ?? "";
  return Object.hasOwn(targets, name) ? targets[name] : undefined;
}
