/** SQL of what several definitions of a relation have in common. `relations` selects the oids of relations. */

/** A recursive CTE: relations and what inherits from them, with the row of the catalog that links it. */
export const treeOf = (relations: string): string => `tree(oid, link) AS (
    SELECT r.oid, NULL::text FROM (${relations}) r(oid) UNION ALL
    SELECT i.inhrelid, i.inhparent::text || ':' || i.xmin::text FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid)`;

/** A recursive CTE: the types of the columns of a relation, and what they are made of. */
export const typesOf = (relation: string, columns: string): string => `types(oid) AS (
    SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = ${relation} AND a.attname = ANY (${columns}::name[]) AND NOT a.attisdropped
    UNION
    SELECT x.oid FROM types JOIN pg_type t ON t.oid = types.oid CROSS JOIN LATERAL (
      SELECT t.typbasetype UNION ALL SELECT t.typelem UNION ALL
      SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) x(oid)
    WHERE x.oid <> 0)`;

/**
 * The partitions of `tree` that were created as partitions, with the transaction that created each. The others were
 * attached.
 */
export const createdPartitions = `(SELECT coalesce(jsonb_object_agg(tree.oid::text, split_part(tree.link, ':', 2)), '{}') FROM tree JOIN pg_type t ON t.typrelid = tree.oid
    WHERE split_part(tree.link, ':', 2) = t.xmin::text)`;

/** The labels of the enums in `types`, and the versions of its composite types: a change of one writes no rows. */
export const enumLabels =
  "(SELECT coalesce(jsonb_object_agg(e.oid::text, e.enumlabel), '{}') FROM pg_enum e WHERE e.enumtypid IN (SELECT oid FROM types))";
export const compositeVersions =
  "(SELECT coalesce(jsonb_object_agg(k.oid::text, k.xmin::text), '{}') FROM pg_class k WHERE k.relkind = 'c' AND k.reltype IN (SELECT oid FROM types))";

type Texts = Readonly<Record<string, string>>;

/** Why the values of a column have changed although no rows were written. */
export function typeChange(
  before: { readonly labels: Texts; readonly composites: Texts },
  now: { readonly labels: Texts; readonly composites: Texts },
): string | undefined {
  const differs = (one: Texts, other: Texts) =>
    Object.entries(one).some(([oid, value]) => (other[oid] ?? value) !== value);
  if (differs(before.labels, now.labels)) return "a value of an enum was renamed";
  return differs(before.composites, now.composites) ? "a composite type was changed" : undefined;
}
