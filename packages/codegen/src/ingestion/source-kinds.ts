import { filesSource } from "./files/file-source.ts";
import { jdbcKinds } from "./jdbc/jdbc-kinds.ts";
import { jdbcSource } from "./jdbc/jdbc-source.ts";
import { restSource } from "./rest/rest-source.ts";
import type { SourceKind } from "./source-kind.ts";

export const sourceKinds: readonly string[] = [...Object.keys(jdbcKinds), "files", "rest"];

const titles: Readonly<Record<string, string>> = {
  postgresql: "PostgreSQL",
  postgres: "PostgreSQL",
  mysql: "MySQL",
  sqlserver: "SQL Server",
  oracle: "Oracle",
  snowflake: "Snowflake",
  rest: "a REST API",
};

/** What people call such a source. */
export const sourceTitle = (type: string): string => titles[type] ?? type;

export function sourceKind(type: string): SourceKind | undefined {
  if (type === "files") return filesSource;
  if (type === "rest") return restSource;
  const kind = Object.hasOwn(jdbcKinds, type) ? jdbcKinds[type] : undefined;
  return kind && jdbcSource(kind);
}
