import type { DatasetDescription } from "../../protocol/transfer.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import type { PostgresSession } from "./session.ts";
import { type ColumnDecoding, type ColumnOrder, columnDecoding, columnOf } from "./source-types.ts";

/** A table or view. */
export interface PostgresTableId {
  readonly oid: number;
  readonly schema: string;
  readonly table: string;
  /** The server's estimate; null if there is none. */
  readonly rows: number | null;
  readonly readable: boolean;
  readonly isPartitioned: boolean;
}

export interface PostgresColumn extends ColumnOrder {
  readonly name: string;
  /** The type as PostgreSQL writes it, for messages. */
  readonly origin: string;
  /** The base type of a domain; for other types the type itself. */
  readonly base: string;
  readonly nullable: boolean;
  readonly decoding: ColumnDecoding;
  /** The declared dimensions of an array. */
  readonly dimensions: number;
  /** Computed from other columns by the server, which does not write it to its log. */
  readonly isGenerated: boolean;
  /** Type id and modifier of the column in a result. If they change, the table has changed. */
  readonly typeId: number;
  readonly modifier: number;
}

export interface PostgresSourceTable extends PostgresTableId {
  readonly columns: readonly PostgresColumn[];
  readonly keys: readonly string[];
}

/** Tables, partitioned tables without their partitions, views and foreign tables. */
const tablesQuery = `
SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS "table",
       CASE WHEN c.relkind IN ('r', 'm') AND c.reltuples >= 0 THEN c.reltuples::float8 END AS rows,
       has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') AS readable,
       c.relkind = 'p' AS "isPartitioned"
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND c.relname !~ '^_lakehelm_'
ORDER BY n.nspname, c.relname`;

/**
 * SQL: whether a collation, or the default collation of a database, orders text byte by byte: those of the server
 * itself (since PostgreSQL 17), and `C` and `POSIX` of the operating system.
 */
const isBytewise = (row: string, prefix: "coll" | "dat"): string => {
  const provider = `coalesce(to_jsonb(${row}) ->> '${prefix === "dat" ? "datlocprovider" : "collprovider"}', 'c')`;
  return `(${provider} = 'b' OR (${provider} = 'c' AND ${row}.${prefix}collate IN ('C', 'POSIX')))`;
};

/** A domain is read as its base type, with its constraints on length and precision. */
const columnsQuery = `
SELECT a.attrelid::int8::float8 AS "table", a.attname AS name, NOT a.attnotnull AS nullable,
       format_type(a.atttypid, a.atttypmod) AS origin, format_type(b.type, b.modifier) AS base,
       coalesce(to_jsonb(a) ->> 'attgenerated', '') <> '' AS is_generated, a.attndims::int4 AS dimensions, b.type::int8::float8 AS type_id, b.modifier AS modifier,
       (SELECT typcategory = 'S' FROM pg_type WHERE oid = b.type) AS is_text,
       NOT (b.type IN ('text'::regtype, 'varchar'::regtype, 'name'::regtype) OR (b.type = 'bpchar'::regtype AND b.modifier > 0))
         OR coalesce((SELECT to_jsonb(c) ->> 'collisdeterministic' = 'false' FROM pg_collation c WHERE c.oid = a.attcollation), false) AS is_loose,
       b.type IN ('text'::regtype, 'varchar'::regtype, 'name'::regtype) AND CASE a.attcollation WHEN 100 THEN d.is_bytewise
         ELSE (SELECT ${isBytewise("c", "coll")} FROM pg_collation c WHERE c.oid = a.attcollation) END AS is_bytewise
FROM (SELECT ${isBytewise("d", "dat")} AS is_bytewise FROM pg_database d WHERE datname = current_database()) d
CROSS JOIN pg_attribute a CROSS JOIN LATERAL (
  WITH RECURSIVE chain(type, modifier, kind, below, below_modifier) AS (
    SELECT t.oid, a.atttypmod, t.typtype, t.typbasetype, t.typtypmod FROM pg_type t WHERE t.oid = a.atttypid
    UNION ALL
    SELECT t.oid, chain.below_modifier, t.typtype, t.typbasetype, t.typtypmod
    FROM chain JOIN pg_type t ON t.oid = chain.below WHERE chain.kind = 'd')
  SELECT type, modifier FROM chain WHERE kind <> 'd') b
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum`;

const keysQuery = `
SELECT i.indrelid::int8::float8 AS "table", a.attname AS name
FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(column_number, position)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.column_number
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisprimary
ORDER BY i.indrelid, k.position`;

export async function listTables(session: PostgresSession): Promise<PostgresTableId[]> {
  const { rows } = await session.query<PostgresTableId>(
    `Listing the tables of ${session.serverName}`,
    tablesQuery,
  );
  return rows;
}

interface PostgresColumnRow {
  table: number;
  name: string;
  nullable: boolean;
  origin: string;
  base: string;
  dimensions: number;
  is_generated: boolean;
  type_id: number;
  modifier: number;
  is_text: boolean;
  is_bytewise: boolean;
  is_loose: boolean;
}

export async function describeTables(
  session: PostgresSession,
  tables: readonly PostgresTableId[],
): Promise<PostgresSourceTable[]> {
  const action = `Reading the columns of ${session.serverName}`;
  const oids = [tables.map(({ oid }) => oid)];
  const columns = await session.query<PostgresColumnRow>(action, columnsQuery, oids);
  const keys = await session.query<{ table: number; name: string }>(action, keysQuery, oids);
  const columnsByTable = Map.groupBy(columns.rows, ({ table }) => table);
  const keysByTable = Map.groupBy(keys.rows, ({ table }) => table);
  return tables.map((table) => ({
    ...table,
    columns: (columnsByTable.get(table.oid) ?? []).map(postgresColumn),
    keys: (keysByTable.get(table.oid) ?? []).map(({ name }) => name),
  }));
}

const postgresColumn = (row: PostgresColumnRow): PostgresColumn => ({
  name: row.name,
  origin: row.origin,
  base: row.base,
  nullable: row.nullable,
  decoding: columnDecoding(row.base, row.dimensions),
  dimensions: row.dimensions,
  isGenerated: row.is_generated,
  typeId: row.type_id,
  modifier: row.modifier,
  isText: row.is_text,
  isBytewise: row.is_bytewise,
  isLoose: row.is_loose,
});

/** Tables of the default schema are named without it. */
export const datasetName = ({ schema, table }: PostgresTableId, defaultSchema: string): string =>
  schema === defaultSchema ? table : `${schema}.${table}`;

export function describeDataset(table: PostgresSourceTable, defaultSchema: string): DatasetDescription {
  const columns = table.columns.map(({ name, origin, decoding, nullable, ...order }) => ({
    ...columnOf(name, origin, decoding, order),
    nullable,
  }));
  return {
    name: datasetName(table, defaultSchema),
    columns,
    primary_keys: table.keys,
    watermark_candidates: watermarkCandidates(columns, table.keys),
    rows: table.rows,
  };
}
