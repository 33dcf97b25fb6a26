import pg from "pg";
import { DataProblem } from "../../../protocol/problem.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import type { PostgresSession } from "../session.ts";

/** How the log identifies the rows of a table. */
export interface ReplicaIdentity {
  /** `d`: the primary key. `i`: an index. `f`: all columns. `n`: nothing. */
  readonly kind: string;
  readonly relkind: string;
  readonly persistence: string;
  readonly columns: readonly string[];
}

/** For a partitioned table, the identities of its partitions count, because the partitions hold the rows. */
const identityQuery = `
WITH RECURSIVE tree(oid) AS (SELECT $1::oid UNION ALL SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid
  JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition)
SELECT c.relreplident::text AS kind, c.relkind::text AS relkind, c.relpersistence::text AS persistence,
  ARRAY(SELECT a.attname::text FROM pg_index x CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(number, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
    WHERE x.indrelid = c.oid AND k.place <= x.indnkeyatts
      AND CASE c.relreplident WHEN 'd' THEN x.indisprimary WHEN 'i' THEN x.indisreplident ELSE false END
    ORDER BY k.place) AS columns
FROM tree JOIN pg_class c ON c.oid = tree.oid ORDER BY c.relkind = 'p'`;

export async function replicaIdentities(
  session: PostgresSession,
  table: number,
): Promise<readonly ReplicaIdentity[]> {
  const { rows } = await session.query<ReplicaIdentity & Record<string, unknown>>(
    `Reading the replica identity of tables of ${session.serverName}`,
    identityQuery,
    [table],
  );
  return rows;
}

/** Returns what identifies the rows, for a message. Throws a DataProblem if nothing does. */
export function requireIdentity(
  dataset: string,
  { schema, table }: PostgresSourceTable,
  identities: readonly ReplicaIdentity[],
): string {
  const name = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
  const whole = identities.find(({ relkind }) => relkind !== "r" && relkind !== "p");
  if (whole) {
    throw new DataProblem(
      `${dataset} is not a table, so the log has no changes of it. Read it with another connector that has "capture": "query".`,
    );
  }
  if (identities.some(({ persistence }) => persistence !== "p")) {
    throw new DataProblem(
      `${dataset} is an unlogged or temporary table, so the log has no changes of it. Run ALTER TABLE ${name} SET LOGGED;`,
    );
  }
  const rows = identities.filter(({ relkind }) => relkind === "r");
  const unidentified = rows.find(({ kind, columns }) => kind !== "f" && columns.length === 0);
  if (unidentified) {
    throw new DataProblem(
      `${dataset} has no primary key, so the log would not say which row was updated or deleted. Add a primary key, or run ALTER TABLE ${name} REPLICA IDENTITY FULL;${rows.length > 1 ? " for the table and its partitions." : ""}`,
    );
  }
  return identityColumns(identities)?.join(", ") ?? "all columns";
}

/** The columns that the log has of a deleted row; undefined: all. */
export function identityColumns(identities: readonly ReplicaIdentity[]): readonly string[] | undefined {
  const rows = identities.filter(({ relkind, kind }) => relkind === "r" && kind !== "f");
  const [first] = rows.length > 0 ? rows : identities.filter(({ kind }) => kind !== "f");
  return first?.columns;
}
