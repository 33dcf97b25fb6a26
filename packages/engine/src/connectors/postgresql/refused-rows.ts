import type { Reject } from "../../protocol/transfer.ts";
import { type PostgresDiagnostics, refusalOf } from "./refusal.ts";
import { stage, type WrittenCounts, writeStagedRows } from "./statements.ts";
import type { PostgresTableMapping } from "./table-schema.ts";

/** Temporary tables: the refused rows with their reasons, and the counts of the written ones. */
const refused = "lakehelm_refused";
const counts = "lakehelm_counts";

/** Runs a statement in the transaction of the load. */
export type RunStatement = <Row extends Record<string, unknown>>(sql: string) => Promise<{ rows: Row[] }>;

interface AcceptedRows extends WrittenCounts {
  readonly rejected: readonly Reject[];
}

/**
 * Writes all staged rows that the server accepts. `ends` divides the row numbers into ranges. A refused range is
 * halved, in the server: with one round trip per attempt, 334 refused rows of 50,500 took 77 s.
 */
export async function writeAcceptedRows(
  run: RunStatement,
  mapping: PostgresTableMapping,
  ends: readonly number[],
  maxRefused: number,
): Promise<AcceptedRows> {
  await run(`CREATE TEMP TABLE ${refused} (n bigint, error jsonb) ON COMMIT DROP`);
  await run(`CREATE TEMP TABLE ${counts} (inserted float8, updated float8) ON COMMIT DROP`);
  await run(halvingBlock(mapping, ends, maxRefused));
  const { rows: written } = await run<{ inserted: number; updated: number }>(`SELECT * FROM ${counts}`);
  const { rows } = await run<{ row: Record<string, unknown>; error: PostgresDiagnostics }>(
    `SELECT to_jsonb(s) AS row, r.error FROM ${refused} r JOIN ${stage} s USING (n) ORDER BY n`,
  );
  return {
    inserted: written[0]?.inserted ?? 0,
    updated: written[0]?.updated ?? 0,
    rejected: rows.map(({ row, error }) => ({ ...refusalOf(error), row: stagedRow(mapping, row) })),
  };
}

/** A staged row by column name. */
export const stagedRow = (
  { columns }: PostgresTableMapping,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ column }, index) => [column.name, row[`c${index}`]]));

/** A variable of PL/pgSQL, the item of the diagnostics that it gets, and the field of node-postgres for this item. */
const diagnostics = [
  ["error_code", "RETURNED_SQLSTATE", "code"],
  ["error_message", "MESSAGE_TEXT", "message"],
  ["error_detail", "PG_EXCEPTION_DETAIL", "detail"],
  ["error_column", "COLUMN_NAME", "column"],
  ["error_constraint", "CONSTRAINT_NAME", "constraint"],
  ["error_type", "PG_DATATYPE_NAME", "dataType"],
  ["error_schema", "SCHEMA_NAME", "schema"],
  ["error_table", "TABLE_NAME", "table"],
] as const satisfies readonly (readonly [string, string, keyof PostgresDiagnostics])[];

/**
 * Each attempt is a subtransaction, which ends with the attempt and so leaves no lock. Variables have the label as prefix
 * where a column could have the same name.
 */
function halvingBlock(mapping: PostgresTableMapping, ends: readonly number[], maxRefused: number): string {
  const write = writeStagedRows(
    mapping,
    "lakehelm.low",
    "lakehelm.high",
    "INTO lakehelm.new_inserted, lakehelm.new_updated",
  );
  const count = mapping.strategy === "upsert" ? "" : "GET DIAGNOSTICS new_inserted = ROW_COUNT;";
  return dollarQuoted(
    (quoted) => `DO ${quoted}`,
    `
#variable_conflict use_column
<<lakehelm>>
DECLARE
  low bigint := 1;
  high bigint;
  ends bigint[] := ARRAY[${[...ends].reverse().join(", ")}]::bigint[];
  refusals int := 0;
  inserted float8 := 0; new_inserted float8;
  updated float8 := 0; new_updated float8 := 0;
  ${diagnostics.map(([variable]) => `${variable} text;`).join(" ")}
BEGIN
  WHILE cardinality(ends) > 0 AND refusals <= ${maxRefused} LOOP
    high := ends[cardinality(ends)];
    IF low >= high THEN
      ends := ends[1:cardinality(ends) - 1];
      CONTINUE;
    END IF;
    BEGIN
      ${write};
      ${count}
      inserted := inserted + new_inserted;
      updated := updated + new_updated;
      low := high;
    EXCEPTION WHEN data_exception OR integrity_constraint_violation OR raise_exception THEN
      IF high - low > 1 THEN
        ends := ends || (low + high) / 2;
        CONTINUE;
      END IF;
      GET STACKED DIAGNOSTICS ${diagnostics.map(([variable, item]) => `${variable} = ${item}`).join(", ")};
      INSERT INTO ${refused} VALUES (low, jsonb_strip_nulls(jsonb_build_object(${diagnostics.map(([variable, , field]) => `'${field}', nullif(lakehelm.${variable}, '')`).join(", ")})));
      refusals := refusals + 1;
      low := low + 1;
    END;
  END LOOP;
  INSERT INTO ${counts} VALUES (lakehelm.inserted, lakehelm.updated);
END `,
  );
}

function dollarQuoted(wrap: (quoted: string) => string, text: string): string {
  let tag = "$lakehelm$";
  for (let at = 0; text.includes(tag); at++) tag = `$lakehelm${at}$`;
  return wrap(`${tag}${text}${tag}`);
}
