import type { PostgresSourceTable } from "../catalog.ts";
import { compositeVersions, createdPartitions, enumLabels, treeOf, typesOf } from "../relation-facts.ts";
import type { PostgresSession } from "../session.ts";

/** How a publication publishes a table now. */
interface PublishedTable {
  /** Operations that are not published. */
  readonly missing: readonly string[];
  readonly viaRoot: boolean;
  readonly isMember: boolean;
  /** The published columns; null: all (before PostgreSQL 15). */
  readonly columns: readonly string[] | null;
  readonly filter: string | null;
}

/**
 * What the changes of a table in the log depend on. A row of the catalog is identified by its oid and by the
 * transaction that wrote it (`xmin`), so a change that was undone is noticed, too. The next run compares the
 * definition.
 */
export interface TableDefinition {
  readonly publication: string;
  /** The rows that make the table, or its schema, part of the publication. */
  readonly membership: readonly string[];
  /** Present if the table is published with its schema or with all tables: its row type, which changes with name and schema. */
  readonly rowType: string | null;
  /** The file of the table, if it is not partitioned. TRUNCATE, VACUUM FULL and a rewrite give it another one. */
  readonly file: string | null;
  readonly partitions: Readonly<Record<string, PartitionDefinition>>;
  /** Transferred columns: their number and version. */
  readonly columns: Readonly<Record<string, { readonly number: number; readonly version: string }>>;
  /** The number of the last column, also if it was dropped. */
  readonly lastColumn: number;
  /** The labels of enums, and the versions of composite types: rows are not written again if one changes. */
  readonly labels: Readonly<Record<string, string>>;
  readonly composites: Readonly<Record<string, string>>;
}

interface PartitionDefinition {
  readonly link: string;
  readonly file: string;
  /** What may identify the rows. For a table without partitions, the log says it. */
  readonly identity: string;
}

export interface DefinedTable {
  readonly definition: TableDefinition;
  readonly published: PublishedTable;
  readonly isPartitioned: boolean;
  /** Child tables by inheritance. */
  readonly children: readonly string[];
  /** Whether the role sees only rows that a policy allows. */
  readonly hidesRows: boolean;
  /** Partitions that were created as partitions, with the transaction that created each. */
  readonly created: Readonly<Record<string, string>>;
}

/**
 * Reads catalog columns by way of JSON, because older servers lack some of them. `schemas` is a query for published
 * schemas, which exist since PostgreSQL 15.
 */
const definitionQuery = (schemas: string) => `
WITH RECURSIVE
  ${treeOf("SELECT $2::oid")},
  ${typesOf("$2::oid", "$3")},
  publication AS (SELECT p.*, p.xmin::text AS version FROM pg_publication p WHERE pubname = $1),
  named AS (SELECT r.oid::text || ':' || r.xmin::text AS version FROM pg_publication_rel r JOIN publication p ON p.oid = r.prpubid WHERE r.prrelid = $2::oid),
  schemas AS (${schemas})
SELECT c.relkind = 'p' AS "isPartitioned", row_security_active(c.oid) AS "hidesRows",
  ARRAY(SELECT k.oid::regclass::text FROM tree JOIN pg_class k ON k.oid = tree.oid WHERE tree.link IS NOT NULL AND NOT k.relispartition ORDER BY 1) AS children,
  ${createdPartitions} AS created,
  jsonb_build_object(
    'missing', (SELECT array_remove(ARRAY[CASE WHEN NOT pubinsert THEN 'insert' END, CASE WHEN NOT pubupdate THEN 'update' END,
       CASE WHEN NOT pubdelete THEN 'delete' END, CASE WHEN NOT pubtruncate THEN 'truncate' END], NULL) FROM publication),
    'viaRoot', (SELECT pubviaroot FROM publication),
    'isMember', (SELECT puballtables FROM publication) OR EXISTS (SELECT FROM named) OR EXISTS (SELECT FROM schemas), 'columns', t.published -> 'attnames', 'filter', t.published ->> 'rowfilter') AS published,
  jsonb_build_object(
    'publication', (SELECT oid::text || ':' || version FROM publication),
    'membership', to_jsonb(ARRAY(SELECT 't' || version FROM named UNION ALL SELECT 's' || version FROM schemas ORDER BY 1)),
    'rowType', CASE WHEN NOT EXISTS (SELECT FROM named) THEN (SELECT r.xmin::text FROM pg_type r WHERE r.oid = c.reltype) END,
    'file', CASE WHEN c.relkind <> 'p' THEN c.relfilenode::text END,
    'partitions', (SELECT coalesce(jsonb_object_agg(k.oid::text, jsonb_build_object('link', tree.link, 'file', k.relfilenode::text, 'identity', k.relreplident::text
        || (SELECT coalesce(string_agg(x.indexrelid::text || ':' || x.xmin::text, ',' ORDER BY x.indexrelid), '') FROM pg_index x WHERE x.indrelid = k.oid AND x.indisunique))), '{}')
      FROM tree JOIN pg_class k ON k.oid = tree.oid WHERE tree.link IS NOT NULL),
    'columns', (SELECT coalesce(jsonb_object_agg(a.attname, jsonb_build_object('number', a.attnum, 'version', a.xmin::text)), '{}')
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = ANY ($3::name[]) AND NOT a.attisdropped),
    'lastColumn', c.relnatts,
    'labels', ${enumLabels},
    'composites', ${compositeVersions}) AS definition
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN LATERAL (SELECT to_jsonb(p) AS published FROM pg_publication_tables p WHERE p.pubname = $1 AND p.schemaname = n.nspname AND p.tablename = c.relname) t ON true
WHERE c.oid = $2::oid`;

const schemaRows =
  "SELECT s.oid::text || ':' || s.xmin::text AS version FROM pg_publication_namespace s JOIN publication p ON p.oid = s.pnpubid JOIN pg_class k ON k.relnamespace = s.pnnspid WHERE k.oid = $2::oid";

/** Undefined if the table no longer exists. */
export async function defineTable(
  session: PostgresSession,
  publication: string,
  { oid }: PostgresSourceTable,
  columns: readonly string[],
): Promise<DefinedTable | undefined> {
  const action = `Reading the publication ${publication} of ${session.serverName}`;
  const version = await session.query<{ n: number }>(
    action,
    "SELECT current_setting('server_version_num')::int AS n",
  );
  const schemas =
    Number(version.rows[0]?.n) >= 150_000 ? schemaRows : "SELECT ''::text AS version WHERE false";
  const { rows } = await session.query<DefinedTable & Record<string, unknown>>(
    action,
    definitionQuery(schemas),
    [publication, oid, columns],
  );
  return rows[0];
}
