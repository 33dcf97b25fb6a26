import type mysql from "mysql2/promise";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { writeByBisection } from "../target/bisection.ts";
import { rejectOf } from "../target/reject-row.ts";
import { mysqlRefusal } from "./refusal.ts";
import { rowNumber } from "./statements.ts";

/** Approximate characters per INSERT. MySQL allows packets of 16 MB or more. */
const insertSize = 1024 * 1024;

interface StageOptions {
  readonly connection: mysql.Connection;
  readonly table: string;
  /** The staging table. Its first column is the row number. */
  readonly stage: string;
  /** The column names in the warehouse. */
  readonly names: readonly string[];
  readonly signal: AbortSignal;
}

/** Fills a staging table with the target's own types, so that rows that do not fit are refused here. */
export async function fillStage(
  { connection, table, stage, names, signal }: StageOptions,
  batches: AsyncIterable<CellValue[][]>,
): Promise<{ rows: number; bytes: number; rejected: Reject[] }> {
  const [[packet]] = await connection.query<mysql.RowDataPacket[]>("SELECT @@max_allowed_packet AS size");
  const maxRowBytes = Number(packet?.size) - 1024;
  const result = { rows: 0, bytes: 0, rejected: [] as Reject[] };
  const reject = (row: readonly CellValue[], refusal: Refusal) =>
    result.rejected.push(rejectOf(refusal, names, row));
  let slice: CellValue[][] = [];
  let [size, bytes] = [0, 0];

  const flush = async () => {
    const rows = slice;
    const write = async (from: number, to: number) => {
      signal.throwIfAborted();
      const numbered = rows.slice(from, to).map((row, at) => [result.rows + at, ...row.map(parameter)]);
      const [done] = await connection.query<mysql.ResultSetHeader>(`INSERT INTO ${stage} VALUES ?`, [
        numbered,
      ]);
      if (done.warningStatus > 0) await refuseTruncated(connection, stage, result.rows);
      result.rows += to - from;
    };
    const onRefused = (at: number, refusal: Refusal) => {
      reject(rows[at] ?? [], refusal);
    };
    await writeByBisection({ table, write, refusalOf: mysqlRefusal, onRefused }, 0, rows.length);
    result.bytes += bytes;
    slice = [];
    [size, bytes] = [0, 0];
  };

  for await (const batch of batches) {
    for (const row of batch) {
      const rowBytes = row.reduce((sum: number, cell) => sum + bytesOf(cell), 0);
      const length = escapedLength(rowBytes, row.length);
      const invalid = row.findIndex((cell) => typeof cell === "number" && !Number.isFinite(cell));
      if (invalid >= 0)
        reject(row, { reason: `the column "${names[invalid]}": MySQL cannot store ${row[invalid]}` });
      else if (length > maxRowBytes)
        reject(row, { reason: `the row is larger than max_allowed_packet, ${packet?.size} bytes` });
      else {
        if (size + length > Math.min(insertSize, maxRowBytes)) await flush();
        slice.push(row);
        size += length;
        bytes += rowBytes;
      }
    }
  }
  await flush();
  return result;
}

/** MySQL cuts off blanks at the end that do not fit, and reports that only as a warning. */
const truncated = 1265;

/** Throws if the last statement has changed values, and removes the rows that it has added. */
async function refuseTruncated(connection: mysql.Connection, stage: string, from: number): Promise<void> {
  const [warnings] = await connection.query<mysql.RowDataPacket[]>("SHOW WARNINGS");
  const found = warnings.find(({ Code }) => Code === truncated);
  if (!found) return;
  await connection.query(`DELETE FROM ${stage} WHERE ${rowNumber} >= ${from}`);
  throw Object.assign(new Error(`${found.Message}: it would be stored without its end`), {
    errno: truncated,
  });
}

const parameter = (cell: CellValue) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell);

/** A number counts as eight bytes. */
function bytesOf(cell: CellValue): number {
  if (typeof cell === "string") return Buffer.byteLength(cell);
  return cell instanceof Uint8Array ? cell.length : cell === null ? 0 : 8;
}

/** An upper bound: every byte may be escaped, and a value has quotes or up to 26 digits. */
const escapedLength = (bytes: number, cells: number): number => 2 * bytes + 26 * cells;
