import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import { describeTables, type PostgresColumn } from "./catalog.ts";
import type { PostgresSession } from "./session.ts";

export interface PostgresTableName {
  readonly schema: string;
  readonly table: string;
}

export interface ExistingPostgresTable extends PostgresTableName {
  readonly columns: readonly PostgresColumn[];
  /** The columns of each unique index that an upsert can use. */
  readonly unique: readonly (readonly string[])[];
  readonly isPartitioned: boolean;
  /** Whether the user may truncate the table, and no foreign key of another table refers to it. */
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
SELECT array_agg(a.attname::text ORDER BY k.position) AS columns
FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(column_number, position)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.column_number
WHERE i.indrelid = $1::oid AND i.indisunique AND i.indimmediate AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  AND k.position <= i.indnkeyatts
GROUP BY i.indexrelid`;

/** Undefined if there is no such table. Also finds a table whose name differs only in case. */
export async function findTable(
  session: PostgresSession,
  tableName: PostgresTableName,
): Promise<ExistingPostgresTable | undefined> {
  const action = `Reading ${tableName.schema}.${tableName.table} of ${session.serverName}`;
  const { rows } = await session.query<{
    oid: number;
    schema: string;
    table: string;
    kind: string;
    can_truncate: boolean;
  }>(action, tableQuery, [tableName.schema, tableName.table]);
  const [found] = rows;
  if (!found) return undefined;
  if (found.kind === "v" || found.kind === "m") {
    throw new DataProblem(`${found.schema}.${found.table} is a view: rows cannot be written to it.`);
  }
  const unique = await session.query<{ columns: string[] }>(action, uniqueIndexQuery, [found.oid]);
  const [described] = await describeTables(session, [
    { ...found, rows: null, isPartitioned: false, readable: true },
  ]);
  return {
    schema: found.schema,
    table: found.table,
    columns: described?.columns ?? [],
    unique: unique.rows.map(({ columns }) => columns),
    isPartitioned: found.kind !== "r",
    canTruncate: found.can_truncate,
  };
}
