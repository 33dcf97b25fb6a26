import { csv } from "./csv.ts";
import { duckdb } from "./duckdb.ts";
import { files } from "./files.ts";
import { http } from "./http.ts";
import { jsonl } from "./jsonl.ts";
import type { ConnectionKind } from "./kind.ts";
import { mysql } from "./mysql.ts";
import { oracle } from "./oracle.ts";
import { parquet } from "./parquet.ts";
import { postgresql } from "./postgresql.ts";
import { rest } from "./rest.ts";
import { snowflake } from "./snowflake.ts";
import { sqlite } from "./sqlite.ts";
import { sqlserver } from "./sqlserver.ts";

export type { ConnectionKind, LineageName } from "./kind.ts";

/** All kinds. The target `warehouse` is none of them: it is the warehouse of the environment. */
const kinds: ConnectionKind[] = [
  ...[postgresql, mysql, sqlserver, oracle, snowflake, sqlite, duckdb],
  ...[files, csv, jsonl, parquet, rest, http],
];

export const connectionKinds: readonly ConnectionKind[] = kinds;
const byName = new Map(kinds.flatMap((kind) => namesOf(kind).map((name) => [name, kind])));

/** The names of a kind, its own first. */
export function namesOf({ name, aliases = [] }: ConnectionKind): readonly string[] {
  return [name, ...aliases];
}

/** Finds a kind by one of its names, in any case; undefined: there is none. */
export const connectionKind = (name: unknown): ConnectionKind | undefined =>
  typeof name === "string" ? byName.get(name.toLowerCase()) : undefined;

/** The kinds that rows can be read from or written to. */
export const kindsFor = (
  role: "source" | "target",
  by?: "byEngine" | "byGeneratedCode",
): readonly ConnectionKind[] => kinds.filter((kind) => kind[role] && (by === undefined || kind[role][by]));

/** Adds a kind. Returns a function that removes it. */
export function addKind(kind: ConnectionKind): () => void {
  kinds.push(kind);
  for (const name of namesOf(kind)) byName.set(name, kind);
  return () => {
    kinds.splice(kinds.indexOf(kind), 1);
    for (const name of namesOf(kind)) byName.delete(name);
  };
}
