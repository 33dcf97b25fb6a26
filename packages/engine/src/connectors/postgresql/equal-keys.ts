import type { Reject } from "../../protocol/transfer.ts";
import { sameKeyInRun, sameKeyInTarget } from "../target/equal-keys.ts";
import { type RunStatement, stagedRow } from "./refused-rows.ts";
import { list, stage } from "./statements.ts";
import type { PostgresMappedColumn, PostgresTableMapping } from "./table-schema.ts";

/** A temporary table: the keys of the staged rows, as the table would have them. */
const keysTable = "lakehelm_keys";

/** Types of which different values of the warehouse are different keys. */
const exact =
  /^(smallint|integer|bigint|boolean|date|uuid|bytea|real|double precision|numeric|time|timestamp|character varying|text|name)\b/;

/** Whether the table may take different values for the same key. */
const isLoose =
  ({ existing }: PostgresTableMapping) =>
  ({ name, base, column, encoding }: PostgresMappedColumn): boolean => {
    const found = existing?.columns.find((one) => one.name === name);
    if (!found) return false;
    // A numeric of the warehouse's text: 1.0 and 1.00.
    const isConverted = encoding.stageType === "text" && /^(numeric|time)/.test(base);
    return !exact.test(base) || isConverted || (found.isLoose && column.type === "VARCHAR");
  };

/** Removes from the stage what has the same key in the table's equality as another row. Returns these rows. */
export async function removeEqualKeys(
  run: RunStatement,
  /** Whether the server has accepted the statements. If not, they are undone. */
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  mapping: PostgresTableMapping,
  { isEmpty, limit }: { readonly isEmpty: boolean; readonly limit: number },
): Promise<Reject[]> {
  const { table, keys, columns, strategy } = mapping;
  const keyed = keys.map((key) => columns.findIndex(({ name }) => name === key));
  const keyColumns = keyed.flatMap((at) => columns[at] ?? []);
  if (strategy !== "upsert" || !keyColumns.some(isLoose(mapping))) return [];
  const values = keyed.map((at) => {
    const { encoding, base } = columns[at] as PostgresMappedColumn;
    return `(${encoding.fromStage(`s.c${at}`)})::${base}`;
  });
  await run(
    `CREATE TEMP TABLE ${keysTable} ON COMMIT DROP AS SELECT 0::bigint AS n, ${list(keys)} FROM ${table} WHERE false`,
  );
  const fill = (where: string) =>
    run(`INSERT INTO ${keysTable} SELECT s.n, ${values.join(", ")} FROM ${stage} s ${where}`);
  // A value that is none of the type is found when the rows are written. Servers before PostgreSQL 16 do not say which.
  const isValid = keyed.map((at) => `pg_input_is_valid(s.c${at}::text, '${columns[at]?.base}')`);
  if (!(await attempt(() => fill("")))) await attempt(() => fill(`WHERE ${isValid.join(" AND ")}`));
  const watermark = columns.findIndex(({ column }) => column.name === mapping.watermark);
  const order = [
    ...(watermark < 0 ? [] : [`s.c${watermark} DESC NULLS LAST`]),
    ...keyed.map((at) => `s.c${at}::text COLLATE "C" DESC`),
  ];
  const names = keyColumns.map(({ column }) => column.name);
  const inRun = await run<{ row: Record<string, unknown> }>(
    `WITH ranked AS (SELECT k.n, row_number() OVER (PARTITION BY ${list(keys)} ORDER BY ${order.join(", ")}) AS place FROM ${keysTable} k JOIN ${stage} s USING (n)),
     gone AS (DELETE FROM ${stage} s USING ranked r WHERE r.n = s.n AND r.place > 1 RETURNING s.*)
     SELECT to_jsonb(gone) AS row FROM gone ORDER BY n LIMIT ${limit}`,
  );
  const rejects = inRun.rows.map(({ row }) => ({
    reason: sameKeyInRun(names),
    row: stagedRow(mapping, row),
  }));
  if (isEmpty) return rejects;
  const same = keys.map((key) => `t.${list([key])} = k.${list([key])}`).join(" AND ");
  const texts = (of: string) => keys.map((key) => `${of}.${list([key])}::text COLLATE "C"`);
  const inTable = await run<{ row: Record<string, unknown>; existing: unknown[] }>(
    `WITH gone AS (DELETE FROM ${stage} s USING ${keysTable} k, ${table} t WHERE k.n = s.n AND ${same} AND (${texts("t").join(", ")}) IS DISTINCT FROM (${texts("k").join(", ")})
       RETURNING to_jsonb(s) AS row, jsonb_build_array(${keys.map((key) => `t.${list([key])}::text`).join(", ")}) AS existing, s.n)
     SELECT row, existing FROM gone ORDER BY n LIMIT ${limit}`,
  );
  return [
    ...rejects,
    ...inTable.rows.map(({ row, existing }) => ({
      reason: sameKeyInTarget(names, existing),
      row: stagedRow(mapping, row),
    })),
  ];
}
