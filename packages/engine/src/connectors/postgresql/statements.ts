import pg from "pg";
import type { PostgresMappedColumn, PostgresTableMapping } from "./table-schema.ts";

export const stage = "lakehelm_stage";
const quote = pg.escapeIdentifier;
const list = (names: readonly string[]): string => names.map(quote).join(", ");
const namesOf = (columns: readonly PostgresMappedColumn[]): string => list(columns.map(({ name }) => name));

export const createTable = ({ table, columns }: PostgresTableMapping): string =>
  `CREATE TABLE ${table} (${columns.map(({ name, base }) => `${quote(name)} ${base}`).join(", ")})`;

export const addKey = ({ table, keys }: PostgresTableMapping): string =>
  `ALTER TABLE ${table} ADD PRIMARY KEY (${list(keys)})`;

/** FREEZE: the rows are invisible until the commit, so no later vacuum has to rewrite them. */
export const copyDirectly = (
  { table, columns, existing }: PostgresTableMapping,
  isEmptied: boolean,
): string =>
  `COPY ${table} (${namesOf(columns)}) FROM STDIN (FORMAT binary${isEmptied && !existing?.isPartitioned ? ", FREEZE" : ""})`;

const staged = (columns: readonly PostgresMappedColumn[]): string[] => columns.map((_, index) => `c${index}`);

/** Numbered, so that a refused row can be found; temporary, so that it is not in the WAL. */
export const createStage = ({ columns }: PostgresTableMapping): string =>
  `CREATE TEMP TABLE ${stage} (n bigint GENERATED ALWAYS AS IDENTITY, ${columns.map(({ encoding }, index) => `c${index} ${encoding.stageType}`).join(", ")}) ON COMMIT DROP`;

export const copyToStage = ({ columns }: PostgresTableMapping): string =>
  `COPY ${stage} (${staged(columns).join(", ")}) FROM STDIN (FORMAT binary)`;

/** SQL: the key columns of the stage. */
export const stagedKeys = ({ columns, keys }: PostgresTableMapping): string[] =>
  keys.map((key) => `c${columns.findIndex(({ name }) => name === key)}`);

/**
 * Writes the staged rows from number $1 to before $2. Unchanged rows are not written: no trigger fires, and nothing is
 * logged. Of rows with the same key, the last wins. `xmax` is 0 for a new row.
 */
export function writeStagedRows(mapping: PostgresTableMapping): string {
  const { table, columns, keys, strategy } = mapping;
  const range = `FROM ${stage} s WHERE n >= $1 AND n < $2`;
  const values = columns.map(({ encoding }, index) => encoding.fromStage(`s.c${index}`)).join(", ");
  const insert = `INSERT INTO ${table} AS t (${namesOf(columns)})`;
  if (strategy !== "upsert") return `${insert} SELECT ${values} ${range} ORDER BY n`;
  const keyColumns = stagedKeys(mapping).join(", ");
  const others = columns.filter(({ name }) => !keys.includes(name));
  const conflict = `ON CONFLICT (${list(keys)}) ${others.length > 0 ? updateClause(others) : "DO NOTHING"}`;
  return `WITH written AS (
    ${insert} SELECT DISTINCT ON (${keyColumns}) ${values} ${range} ORDER BY ${keyColumns}, n DESC
    ${conflict} RETURNING (t.xmax = 0) AS is_new)
  SELECT count(*) FILTER (WHERE is_new)::float8 AS inserted, count(*) FILTER (WHERE NOT is_new)::float8 AS updated FROM written`;
}

function updateClause(columns: readonly PostgresMappedColumn[]): string {
  const sets = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(", ");
  const old = columns.map((column) => comparable(column, "t")).join(", ");
  const incoming = columns.map((column) => comparable(column, "excluded")).join(", ");
  return `DO UPDATE SET ${sets} WHERE (${old}) IS DISTINCT FROM (${incoming})`;
}

/** Some types have no equality: json, xml, point. Their text has. */
const comparable = ({ name, encoding, base }: PostgresMappedColumn, row: string): string =>
  `${row}.${quote(name)}${encoding.stageType === "text" && base !== "jsonb" ? "::text" : ""}`;

/** Deletes a batch of keys, given as one list of texts per key column. */
export function deleteKeys({ table, columns, keys }: PostgresTableMapping): string {
  const lists = keys.map((_, index) => `$${index + 1}::text[]`).join(", ");
  const names = keys.map((_, index) => `k${index}`).join(", ");
  const same = keys.map((key, index) => {
    const base = columns.find(({ name }) => name === key)?.base ?? "text";
    return `t.${quote(key)} = g.k${index}::${base}`;
  });
  return `DELETE FROM ${table} t USING unnest(${lists}) AS g(${names}) WHERE ${same.join(" AND ")}`;
}
