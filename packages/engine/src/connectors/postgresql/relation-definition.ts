import { DataProblem } from "../../protocol/problem.ts";
import type { DefinedDataset, DefinitionChange } from "../source/definition.ts";
import type { PostgresSourceTable } from "./catalog.ts";
import {
  compositeVersions,
  createdPartitions,
  enumLabels,
  treeOf,
  typeChange,
  typesOf,
} from "./relation-facts.ts";
import type { PostgresSession } from "./session.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * What the rows of a table or view depend on. A row of the catalog is identified by its oid and by the transaction that
 * wrote it (`xmin`).
 */
interface RelationDefinition {
  /** The server and the database; empty if the role may not read them. */
  readonly database: string;
  /** The oid of a table; null for a view, which is identified by its text. */
  readonly id: string | null;
  readonly kind: string;
  /**
   * Tables that the rows come from, with partitions: the file, and the number and version of each column. For a table,
   * only the columns that are transferred.
   */
  readonly tables: Readonly<Record<string, { readonly file: string; readonly columns: Texts }>>;
  readonly partitions: Texts;
  /** Hashes of the views and functions that are involved; null if there are none. */
  readonly views: string | null;
  readonly functions: string | null;
  /** The user and its settings, which a view may read. */
  readonly session: string | null;
  readonly foreign: string | null;
  /** Policies that hide rows from the role, or from the owners of views. */
  readonly policies: string | null;
  readonly labels: Texts;
  readonly composites: Texts;
  /** By column: the order of its text, and the expression of a generated column. */
  readonly collations: Texts;
  readonly generated: Texts;
}

interface DefinedRelation {
  readonly definition: RelationDefinition;
  /** Partitions that were created as partitions, not attached later. */
  readonly created: Texts;
  /** Columns that the role may not read. */
  readonly unreadable: readonly string[];
}

const sessionHash = `md5(current_user || ' ' || current_setting('search_path') || (SELECT coalesce(string_agg(s.setconfig::text, ' ' ORDER BY s.setdatabase, s.setrole), '') FROM pg_db_role_setting s
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())) AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))))`;

/** SQL: policies for reading, as text. */
const policiesOf = (condition: string) =>
  `(SELECT coalesce(string_agg(concat_ws(' ', p.polrelid, p.polname, p.polpermissive, p.polroles, pg_get_expr(p.polqual, p.polrelid)), E'\\n' ORDER BY p.polrelid, p.polname), '')
    FROM pg_policy p WHERE p.polcmd IN ('r', '*') AND ${condition})`;

/** Reads catalog columns by way of JSON, because older servers lack some of them. */
const definitionQuery = `
WITH RECURSIVE
  refs(oid) AS (
    SELECT $1::oid UNION
    SELECT d.refobjid FROM refs JOIN pg_rewrite r ON r.ev_class = refs.oid JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
    WHERE d.refclassid = 'pg_class'::regclass),
  ${treeOf("SELECT oid FROM refs")},
  ${typesOf("$1::oid", "$2")},
  views AS (SELECT k.oid, k.relowner, to_jsonb(k) ->> 'reloptions' AS options FROM refs JOIN pg_class k ON k.oid = refs.oid WHERE k.relkind IN ('v', 'm')),
  functions AS (SELECT DISTINCT f.oid, md5(to_jsonb(f)::text) AS hash FROM views v JOIN pg_rewrite r ON r.ev_class = v.oid JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
    JOIN pg_proc f ON f.oid = d.refobjid WHERE d.refclassid = 'pg_proc'::regclass)
SELECT ${createdPartitions} AS created,
  ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = ANY ($2::name[]) AND NOT a.attisdropped AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY a.attnum) AS unreadable,
  jsonb_build_object(
    'id', CASE WHEN c.relkind NOT IN ('v', 'm') THEN c.oid::text END,
    'kind', CASE WHEN c.relkind IN ('r', 'p') THEN 'table' ELSE c.relkind::text END,
    'tables', (SELECT coalesce(jsonb_object_agg(k.oid::text, jsonb_build_object('file', k.relfilenode::text, 'columns',
        (SELECT coalesce(jsonb_object_agg(a.attname, a.attnum::text || ':' || a.xmin::text), '{}') FROM pg_attribute a
         WHERE a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped AND (c.relkind IN ('v', 'm') OR a.attname = ANY ($2::name[]))))), '{}')
      FROM pg_class k WHERE k.oid IN (SELECT oid FROM tree) AND k.relkind IN ('r', 'p')),
    'partitions', (SELECT coalesce(jsonb_object_agg(tree.oid::text, tree.link), '{}') FROM tree WHERE tree.link IS NOT NULL),
    'views', (SELECT md5(string_agg(md5(pg_get_viewdef(oid) || coalesce(options, '')), '' ORDER BY md5(pg_get_viewdef(oid) || coalesce(options, '')))) FROM views),
    'functions', (SELECT md5(string_agg(hash, '' ORDER BY hash)) FROM functions),
    'session', CASE WHEN c.relkind IN ('v', 'm') THEN ${sessionHash} END,
    'foreign', (SELECT md5(string_agg(concat_ws(' ', f.ftrelid, f.ftoptions, s.oid, s.srvoptions), ' ' ORDER BY f.ftrelid))
      FROM pg_foreign_table f JOIN pg_foreign_server s ON s.oid = f.ftserver WHERE f.ftrelid IN (SELECT oid FROM tree)),
    'policies', CASE WHEN c.relkind IN ('v', 'm') THEN
        CASE WHEN EXISTS (SELECT FROM refs JOIN pg_class k ON k.oid = refs.oid WHERE k.relrowsecurity) THEN
          md5(${policiesOf("p.polrelid IN (SELECT k.oid FROM refs JOIN pg_class k ON k.oid = refs.oid WHERE k.relrowsecurity)")} || ${sessionHash}
          || (SELECT string_agg(concat_ws(' ', k.oid, k.relforcerowsecurity), ' ' ORDER BY k.oid) FROM refs JOIN pg_class k ON k.oid = refs.oid WHERE k.relrowsecurity)
          || (SELECT string_agg(DISTINCT concat_ws(' ', o.rolname, o.rolbypassrls, o.rolsuper), ' ') FROM views v JOIN pg_roles o ON o.oid = v.relowner)) END
      WHEN row_security_active(c.oid) THEN md5(${policiesOf("p.polrelid = c.oid AND (0::oid = ANY (p.polroles) OR EXISTS (SELECT FROM unnest(p.polroles) r WHERE pg_has_role(r, 'USAGE')))")} || ${sessionHash}) END,
    'labels', ${enumLabels},
    'composites', ${compositeVersions},
    'collations', (SELECT coalesce(jsonb_object_agg(a.attname, CASE a.attcollation WHEN 100 THEN (SELECT concat_ws(' ', 'default', d.datcollate, to_jsonb(d) ->> 'datcollversion') FROM pg_database d WHERE d.datname = current_database())
        ELSE (SELECT concat_ws(' ', l.oid, l.collname, l.collversion) FROM pg_collation l WHERE l.oid = a.attcollation) END), '{}')
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = ANY ($2::name[]) AND NOT a.attisdropped AND a.attcollation <> 0),
    'generated', (SELECT coalesce(jsonb_object_agg(a.attname, md5(pg_get_expr(e.adbin, e.adrelid))), '{}') FROM pg_attribute a JOIN pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attname = ANY ($2::name[]) AND NOT a.attisdropped AND coalesce(to_jsonb(a) ->> 'attgenerated', '') <> '')) AS definition
FROM pg_class c WHERE c.oid = $1::oid`;

const databaseQuery =
  "SELECT CASE WHEN has_function_privilege('pg_control_system()', 'EXECUTE') THEN (SELECT system_identifier::text FROM pg_control_system()) || ' ' || (SELECT oid::text FROM pg_database WHERE datname = current_database()) ELSE '' END AS database";

export async function defineRelation(
  session: PostgresSession,
  dataset: string,
  { oid, schema, table }: PostgresSourceTable,
  columns: readonly string[],
): Promise<DefinedDataset> {
  const action = `Reading the definition of ${dataset} in ${session.serverName}`;
  const [[server], [found]] = [
    (await session.query<{ database: string }>(action, databaseQuery)).rows,
    (await session.query<DefinedRelation & Record<string, unknown>>(action, definitionQuery, [oid, columns]))
      .rows,
  ];
  const { user } = session.settings;
  if (!found) {
    throw new DataProblem(`${dataset} was dropped since the run has begun. Run the connector again.`, {
      retryable: true,
    });
  }
  if (found.unreadable.length > 0) {
    const names = found.unreadable.map((name) => `"${name}"`).join(", ");
    throw new DataProblem(
      `${user} may not read ${names} of ${dataset} in ${session.serverName}. Run GRANT SELECT (${names}) ON "${schema}"."${table}" TO ${user}, or leave the columns out.`,
    );
  }
  const definition: RelationDefinition = { ...found.definition, database: server?.database ?? "" };
  return {
    definition: { ...definition },
    compare: (before, watermark) =>
      compareRelations(before as unknown as RelationDefinition, definition, found.created, {
        watermark,
        user,
      }),
    notice:
      definition.policies === null
        ? undefined
        : `Row level security applies to ${dataset}: only rows that its policies allow ${user} to see are read.`,
  };
}

function compareRelations(
  before: RelationDefinition,
  now: RelationDefinition,
  created: Texts,
  { watermark, user }: { readonly watermark: string | null; readonly user: string },
): DefinitionChange | undefined {
  if (now.policies !== null && before.policies !== now.policies) {
    const reason = `row level security ${before.policies === null ? "now applies to it" : "has other policies"}`;
    return { reason, hidden: `Let the role read all rows: ALTER ROLE ${user} BYPASSRLS.` };
  }
  const reason = reasonOf(before, now, created, watermark);
  return reason === undefined ? undefined : { reason };
}

function reasonOf(
  before: RelationDefinition,
  now: RelationDefinition,
  created: Texts,
  watermark: string | null,
): string | undefined {
  if (before.policies !== now.policies) return "row level security no longer hides rows of it";
  if (before.database !== now.database && before.database !== "" && now.database !== "")
    return "it is in another database than before";
  if (before.kind !== now.kind || before.id !== now.id)
    return "it is another table than before, or was dropped and created again";
  if (before.views !== now.views) return "its view, or one that it reads, has another definition";
  if (before.functions !== now.functions) return "a function that its view calls has another definition";
  if (before.session !== now.session) return "its view is read by another user, or with other settings";
  if (before.foreign !== now.foreign) return "its foreign table or server has other options";
  for (const [oid, { file, columns }] of Object.entries(before.tables)) {
    const table = now.tables[oid];
    if (!table) continue;
    const shared = Object.entries(columns).filter(([name]) => table.columns[name] !== undefined);
    const numberOf = (version: string | undefined) => version?.split(":")[0];
    const moved = shared.find(([name, version]) => numberOf(table.columns[name]) !== numberOf(version));
    if (moved) return `the column "${moved[0]}" was renamed, or dropped and added again`;
    const changed = shared.find(([name, version]) => table.columns[name] !== version);
    if (changed && file !== table.file)
      return `the table was written anew, with another type or other values in "${changed[0]}"`;
  }
  const added = Object.entries(now.partitions).filter(([oid, link]) => before.partitions[oid] !== link);
  if (added.some(([oid]) => before.partitions[oid] !== undefined || created[oid] === undefined))
    return "a partition was attached";
  const generated = Object.entries(before.generated).find(
    ([name, expression]) => (now.generated[name] ?? expression) !== expression,
  );
  if (generated) return `the generated column "${generated[0]}" has another expression`;
  if (watermark !== null && before.collations[watermark] !== now.collations[watermark])
    return `the watermark "${watermark}" has another collation`;
  return typeChange(before, now);
}
