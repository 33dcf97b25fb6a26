import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import { describeTables, type PostgresColumn } from "./catalog.ts";
import type { PostgresSession } from "./session.ts";

/** A table by its two names. */
export interface PostgresTableName {
  readonly schema: string;
  readonly table: string;
}

/** A table that is there. */
export interface ExistingPostgresTable extends PostgresTableName {
  readonly columns: readonly PostgresColumn[];
  /** The columns of each unique index that an upsert can use. */
  readonly unique: readonly (readonly string[])[];
  readonly isPartitioned: boolean;
  /** Whether we may empty it at once, and nothing refers to its rows. */
  readonly canTruncate: boolean;
}

export const quotedTable = ({ schema, table }: PostgresTableName): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;

const tableQuery = `
SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS "table", c.relkind::text AS kind,
       has_table_privilege(c.oid, 'TRUNCATE')
         AND NOT EXISTS (SELECT 1 FROM pg_constraint f WHERE f.confrelid = c.oid AND f.conrelid <> c.oid) AS can_truncate
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname = $1 AND lower(c.relname) = lower($2)
ORDER BY c.relname <> $2`;

const uniqueIndexQuery = `
SELECT array_agg(a.attname::text ORDER BY k.place) AS columns
FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(column_number, place)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.column_number
WHERE i.indrelid = $1::oid AND i.indisunique AND i.indimmediate AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  AND k.place <= i.indnkeyatts
GROUP BY i.indexrelid`;

/** Undefined: there is none. One that differs in case alone is the one that is meant. */
export async function findTable(
  session: PostgresSession,
  place: PostgresTableName,
): Promise<ExistingPostgresTable | undefined> {
  const doing = `Looking for ${place.schema}.${place.table} in ${session.place}`;
  const { rows } = await session.query<{
    oid: number;
    schema: string;
    table: string;
    kind: string;
    can_truncate: boolean;
  }>(doing, tableQuery, [place.schema, place.table]);
  const [found] = rows;
  if (!found) return undefined;
  if (found.kind === "v" || found.kind === "m") {
    throw new DataProblem(`${found.schema}.${found.table} is a view: rows cannot be written to it.`);
  }
  const unique = await session.query<{ columns: string[] }>(doing, uniqueIndexQuery, [found.oid]);
  const [described] = await describeTables(session, [{ ...found, rows: null, readable: true }]);
  return {
    schema: found.schema,
    table: found.table,
    columns: described?.columns ?? [],
    unique: unique.rows.map(({ columns }) => columns),
    isPartitioned: found.kind !== "r",
    canTruncate: found.can_truncate,
  };
}
