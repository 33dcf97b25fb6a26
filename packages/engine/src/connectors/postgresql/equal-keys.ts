import type { Refusal, Reject } from "../../protocol/transfer.ts";
import { respelledKey, sameKeyInRun, sameKeyInTarget } from "../target/equal-keys.ts";
import { type RunStatement, stagedRow } from "./refused-rows.ts";
import { columnDecoding } from "./source-types.ts";
import { list, stage } from "./statements.ts";
import type { PostgresMappedColumn, PostgresTableMapping } from "./table-schema.ts";

/** A temporary table: the keys of the staged rows, as the table would have them. */
const keysTable = "lakehelm_keys";

/** Types for which different values of the warehouse are always different keys. */
const exact =
  /^(smallint|integer|bigint|boolean|date|uuid|bytea|real|double precision|numeric|time|timestamp|character varying|text)\b/;

/** Whether the table may take different values for the same key. */
const isLoose =
  ({ existing }: PostgresTableMapping) =>
  ({ name, base, column, encoding }: PostgresMappedColumn): boolean => {
    const found = existing?.columns.find((one) => one.name === name);
    if (!found) return false;
    // A text of the warehouse in a column of numbers or times: 1.0 and 1.00 are the same key.
    const isConverted = encoding.stageType === "text" && /^(numeric|time)/.test(base);
    return !exact.test(base) || isConverted || (found.isLoose && column.type === "VARCHAR");
  };

/** Removes rows from the stage whose key the table takes for the key of another row. Returns the removed rows. */
export async function removeEqualKeys(
  run: RunStatement,
  /** Runs statements. Returns false if the server refuses one, and undoes them. */
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  mapping: PostgresTableMapping,
  { isEmpty, limit }: { readonly isEmpty: boolean; readonly limit: number },
): Promise<Reject[]> {
  const { table, keys, columns, strategy } = mapping;
  const keyed = keys.map((key) => columns.findIndex(({ name }) => name === key));
  const keyColumns = keyed.flatMap((at) => columns[at] ?? []);
  if (strategy !== "upsert" || !keyColumns.some(isLoose(mapping))) return [];
  const values = keyed.map((at) => columns[at]?.encoding.fromStage(`s.c${at}`));
  await run(
    `CREATE TEMP TABLE ${keysTable} ON COMMIT DROP AS SELECT 0::bigint AS n, ${list(keys)} FROM ${table} WHERE false`,
  );
  const fill = (where: string) =>
    run(`INSERT INTO ${keysTable} SELECT s.n, ${values.join(", ")} FROM ${stage} s ${where}`);
  // Values that are not valid for the type are refused later, when the rows are written. Servers before PostgreSQL 16
  // lack pg_input_is_valid: then no keys are compared.
  const isValid = keyed.map((at) => `pg_input_is_valid(s.c${at}::text, '${columns[at]?.base}')`);
  if (!(await attempt(() => fill("")))) await attempt(() => fill(`WHERE ${isValid.join(" AND ")}`));
  const names = keyColumns.map(({ column }) => column.name);
  const remove = async (
    rows: string,
    refusal: (found: { readonly sent: string[]; readonly kept: string[] }) => Refusal,
  ): Promise<Reject[]> => {
    const found = await run<{ row: Record<string, unknown>; sent: string[]; kept: string[] }>(
      `WITH found AS (${rows}), gone AS (DELETE FROM ${stage} s USING found WHERE found.n = s.n RETURNING s.n, to_jsonb(s) AS row, sent, kept)
       SELECT row, sent, kept FROM gone ORDER BY n LIMIT ${limit}`,
    );
    return found.rows.map(({ row, sent, kept }) => ({
      ...refusal({ sent, kept }),
      row: stagedRow(mapping, row),
    }));
  };
  const sent = keyed.map((at) => `s.c${at}::text COLLATE "C"`);
  /** The keys as they would be read from the table. */
  const kept = keyColumns.map(
    ({ name, base }) => `concat(${columnDecoding(base).expression(`k.${list([name])}`)}) COLLATE "C"`,
  );
  const staged = `${keysTable} k JOIN ${stage} s USING (n)`;
  const selected = (as: readonly string[]) =>
    `SELECT s.n, jsonb_build_array(${sent.join(", ")}) AS sent, jsonb_build_array(${as.join(", ")}) AS kept`;
  const isRespelled = keyColumns.flatMap(({ column, name, base, encoding }, at) => {
    // Blanks at the end of a character(3) do not count: all sources and targets add or remove them.
    if (encoding.stageType !== "text" || /^(character(?! varying)|bpchar)/.test(base)) return [];
    // PostgreSQL itself writes both: 10.0.0.1 and 10.0.0.1/32 of an inet.
    if (column.type === "VARCHAR") return `${sent[at]} NOT IN (${kept[at]}, concat(k.${list([name])}))`;
    return column.type === "VARCHAR[]" ? `(${sent[at]})::jsonb <> (${kept[at]})::jsonb` : [];
  });
  const respelled =
    isRespelled.length === 0
      ? []
      : await remove(`${selected(kept)} FROM ${staged} WHERE ${isRespelled.join(" OR ")}`, (found) =>
          respelledKey(names, found.sent, found.kept),
        );
  const watermark = columns.findIndex(({ column }) => column.name === mapping.watermark);
  const order = [
    ...(watermark < 0 ? [] : [`s.c${watermark} DESC NULLS LAST`]),
    // A key that the table writes in another way is never found among the keys of the table. So its row is in every run
    // that compares keys, and every run chooses the same row.
    `(${sent.join(", ")}) IS DISTINCT FROM (${kept.join(", ")}) DESC`,
    ...sent.map((text) => `${text} DESC`),
  ];
  const inRun = await remove(
    `SELECT * FROM (${selected(kept)}, row_number() OVER (PARTITION BY ${list(keys)} ORDER BY ${order.join(", ")}) AS place FROM ${staged}) one WHERE place > 1`,
    () => sameKeyInRun(names),
  );
  if (isEmpty) return [...respelled, ...inRun];
  const same = keys.map((key) => `t.${list([key])} = k.${list([key])}`).join(" AND ");
  const texts = (of: string) => keys.map((key) => `${of}.${list([key])}::text COLLATE "C"`);
  const inTable = await remove(
    `${selected(texts("t"))} FROM ${staged} JOIN ${table} t ON ${same} WHERE (${texts("t").join(", ")}) IS DISTINCT FROM (${texts("k").join(", ")})`,
    (found) => sameKeyInTarget(names, found.kept),
  );
  return [...respelled, ...inRun, ...inTable];
}
