import { connectionKind, kindsFor, namesOf } from "@lakehelm/contract/connections";
import { filesSource } from "./files/file-source.ts";
import { jdbcKinds } from "./jdbc/jdbc-kinds.ts";
import { jdbcSource } from "./jdbc/jdbc-source.ts";
import { restSource } from "./rest/rest-source.ts";
import type { SourceKind } from "./source-kind.ts";

function portOf(name: string): number {
  const port = connectionKind(name)?.defaultPort;
  if (port === undefined) throw new Error(`${name} has no usual port.`);
  return port;
}

/** The code for each kind of source that generated code reads. */
const sources: Readonly<Record<string, SourceKind>> = {
  ...Object.fromEntries(
    Object.entries(jdbcKinds).map(([name, kind]) => [name, jdbcSource(kind, portOf(name))]),
  ),
  files: filesSource,
  rest: restSource,
};

export const sourceTypes = (): readonly string[] => kindsFor("source", "byGeneratedCode").flatMap(namesOf);

/** The title of a kind of source, for messages. */
export const sourceTitle = (type: string): string => connectionKind(type)?.title ?? type;

export function sourceKind(type: string): SourceKind | undefined {
  const name = connectionKind(type)?.name ?? "";
  return Object.hasOwn(sources, name) ? sources[name] : undefined;
}
