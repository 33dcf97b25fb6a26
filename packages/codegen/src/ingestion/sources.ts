import { filesSource } from "./files.ts";
import { jdbcSource } from "./jdbc.ts";
import { jdbcKinds } from "./jdbc-kinds.ts";
import { restSource } from "./rest.ts";
import type { SourceKind } from "./source.ts";

export const sourceKinds: readonly string[] = [...Object.keys(jdbcKinds), "files", "rest"];

export function sourceKind(type: string): SourceKind | undefined {
  if (type === "files") return filesSource;
  if (type === "rest") return restSource;
  const kind = Object.hasOwn(jdbcKinds, type) ? jdbcKinds[type] : undefined;
  return kind && jdbcSource(kind);
}
