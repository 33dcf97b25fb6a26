import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import { sameKeyInRun, sameKeyInTarget } from "../target/equal-keys.ts";
import { rejectOf } from "../target/reject-row.ts";
import { backquoted } from "./source-types.ts";
import { equalities, list, type MysqlTableMapping, rowNumber, stage } from "./statements.ts";

/** If more keys are equal, the collation is wrong for the column, not single rows. */
const mostGroups = 10_000;

/**
 * Removes rows from the stage whose key the table's collation takes for the key of another row, and returns them. The
 * stage has the types and collations of the table. MySQL cannot read a temporary table twice in one statement, so each
 * such key takes a statement of its own.
 */
export async function removeEqualKeys(
  connection: mysql.Connection,
  mapping: MysqlTableMapping,
  { isEmpty, watermark }: { readonly isEmpty: boolean; readonly watermark: string | undefined },
): Promise<Reject[]> {
  const { table, columns, keys } = mapping;
  const texts = keys.filter(({ column }) => /^(VARCHAR|JSON|UUID|ENUM)/.test(column.type));
  if (texts.length === 0) return [];
  const read = async (sql: string, values: readonly unknown[] = []) =>
    (
      await connection.query<mysql.RowDataPacket[]>(
        { sql, dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, rowsAsArray: true },
        [...values],
      )
    )[0] as unknown as (string | number | null)[][];
  const names = columns.map(({ column }) => column.name);
  const keyNames = keys.map(({ column }) => column.name);
  const rejects: Reject[] = [];
  const remove = async (refusal: Refusal, [n, ...cells]: readonly (string | number | null)[]) => {
    rejects.push(rejectOf(refusal, names, cells));
    await connection.query(`DELETE FROM ${stage} WHERE ${rowNumber} = ${Number(n)}`);
  };
  const all = `SELECT s.${rowNumber}, ${list(columns, "s.")}`;
  const groups = await read(
    `SELECT ${list(keys, "s.")} FROM ${stage} s GROUP BY ${list(keys, "s.")} HAVING count(*) > 1 LIMIT ${mostGroups + 1}`,
  );
  if (groups.length > mostGroups) {
    throw new DataProblem(
      `${table} takes more than ${mostGroups} keys of this run for the same as others. Give ${keyNames.join(", ")} a collation that tells them apart, such as utf8mb4_bin.`,
    );
  }
  const latest = columns.find(({ column }) => column.name === watermark);
  const order = [
    ...(latest ? [`s.${backquoted(latest.name)} DESC`] : []),
    ...keys.map(({ name }) => `CAST(s.${backquoted(name)} AS BINARY) DESC`),
  ].join(", ");
  for (const group of groups) {
    const same = keys.map(({ name }) => `s.${backquoted(name)} = ?`).join(" AND ");
    const [, ...losers] = await read(`${all} FROM ${stage} s WHERE ${same} ORDER BY ${order}`, group);
    for (const row of losers) await remove(sameKeyInRun(keyNames), row);
  }
  if (isEmpty) return rejects;
  const differs = texts
    .map(({ name }) => `CAST(t.${backquoted(name)} AS BINARY) <> CAST(s.${backquoted(name)} AS BINARY)`)
    .join(" OR ");
  const known = await read(
    `${all}, ${list(keys, "t.")} FROM ${stage} s JOIN ${table} t ON ${equalities(keys, " AND ")} WHERE ${differs} LIMIT ${mostGroups}`,
  );
  for (const row of known)
    await remove(sameKeyInTarget(keyNames, row.slice(columns.length + 1)), row.slice(0, columns.length + 1));
  return rejects;
}
