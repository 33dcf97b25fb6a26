import type { DuckDBConnection } from "@duckdb/node-api";
import { countRows } from "../../warehouse/relation.ts";
import { stagedChanges, valueColumn } from "./change-stage.ts";

/** A temporary table with the row that each change belongs to, even if the key of the row changed meanwhile. */
export const rowLives = "log_lives";

/**
 * Large values that an update did not change are not in the log. They are taken from the last earlier change of the
 * same row that has them. A value that no earlier change has is still in the table, under the key `root`.
 */
export async function resolveUnchanged(
  connection: DuckDBConnection,
  /** SQL: selects the changes of the dataset. */
  condition: string,
  /** SQL: the key of a change as text. */
  key: string,
  /** The table with the numbers of the last changes. */
  last: string,
): Promise<boolean> {
  const marked = `${stagedChanges} WHERE ${condition} AND unchanged IS NOT NULL AND n IN (SELECT n FROM ${last})`;
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT unnest(string_split(trim(unchanged, ','), ',')) AS place FROM ${marked}`,
  );
  const places = found.getRowsJson().map(([place]) => Number(place));
  if (places.length === 0) return false;
  await findLives(connection, condition, key);
  for (const place of places) {
    const column = valueColumn(place);
    const lacks = `coalesce(contains(unchanged, ',${place},'), false)`;
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE log_found AS SELECT m.n, p.n AS source
       FROM (SELECT life, n FROM ${rowLives} WHERE ${lacks} AND n IN (SELECT n FROM ${last})) m
       ASOF JOIN (SELECT life, n FROM ${rowLives} WHERE NOT ${lacks}) p ON m.life = p.life AND m.n >= p.n`,
    );
    await connection.run(
      `UPDATE ${stagedChanges} AS c SET ${column} = v.value, unchanged = replace(c.unchanged, ',${place},', ',')
       FROM (SELECT f.n, s.${column} AS value FROM log_found f JOIN ${stagedChanges} s ON s.n = f.source) v WHERE c.n = v.n`,
    );
  }
  return true;
}

/**
 * A row lives from its insertion, or from before the first change, to its deletion. A change of its key continues the life of the
 * row with the old key, whose deletion is staged directly before it.
 */
async function findLives(connection: DuckDBConnection, condition: string, key: string): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE log_rows AS SELECT n, op, unchanged, ${key} AS k FROM ${stagedChanges} WHERE ${condition}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE log_births AS SELECT n, k, op FROM log_rows WHERE op IN ('I', 'M')`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE log_roots AS
     SELECT d.n + 1 AS n, b.n AS root, CASE WHEN b.n IS NULL THEN d.k END AS root_key, coalesce(b.op, 'I') <> 'M' AS done
     FROM (SELECT n, k FROM log_rows WHERE op = 'D' AND n + 1 IN (SELECT n FROM log_rows WHERE op = 'M')) d
     ASOF LEFT JOIN log_births b ON d.k = b.k AND d.n >= b.n`,
  );
  // Each round doubles the number of key changes that are followed.
  while ((await countRows(connection, "log_roots WHERE NOT done")) > 0) {
    await connection.run(
      "UPDATE log_roots AS r SET root = p.root, root_key = p.root_key, done = p.done FROM log_roots p WHERE NOT r.done AND p.n = r.root",
    );
  }
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${rowLives} AS
     SELECT r.n, r.unchanged, CASE WHEN b.n IS NULL THEN r.k ELSE o.root_key END AS root,
       CASE WHEN b.n IS NULL THEN 'k' || r.k WHEN b.op = 'I' THEN 'n' || b.n
         WHEN o.root_key IS NOT NULL THEN 'k' || o.root_key ELSE 'n' || o.root END AS life
     FROM (SELECT * FROM log_rows WHERE op <> 'D') r
     ASOF LEFT JOIN log_births b ON r.k = b.k AND r.n >= b.n LEFT JOIN log_roots o ON o.n = b.n`,
  );
}
