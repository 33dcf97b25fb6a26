import { filesSource } from "./files/file-source.ts";
import { jdbcKinds } from "./jdbc/jdbc-kinds.ts";
import { jdbcSource } from "./jdbc/jdbc-source.ts";
import { restSource } from "./rest/rest-source.ts";
import type { SourceKind } from "./source-kind.ts";

export const sourceKinds: readonly string[] = [...Object.keys(jdbcKinds), "files", "rest"];

export function sourceKind(type: string): SourceKind | undefined {
  if (type === "files") return filesSource;
  if (type === "rest") return restSource;
  const kind = Object.hasOwn(jdbcKinds, type) ? jdbcKinds[type] : undefined;
  return kind && jdbcSource(kind);
}
