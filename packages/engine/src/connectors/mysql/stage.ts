import type mysql from "mysql2/promise";
import type { Reject } from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { writeByBisection } from "../target/bisection.ts";
import { rejectOf } from "../target/reject-row.ts";
import { mysqlRefusal } from "./problem.ts";

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
  const reject = (row: readonly CellValue[], reason: string) =>
    result.rejected.push(rejectOf(reason, names, row));
  let slice: CellValue[][] = [];
  let size = 0;

  const flush = async () => {
    const rows = slice;
    const write = async (from: number, to: number) => {
      signal.throwIfAborted();
      const numbered = rows.slice(from, to).map((row, at) => [result.rows + at, ...row.map(parameter)]);
      await connection.query(`INSERT INTO ${stage} VALUES ?`, [numbered]);
      result.rows += to - from;
    };
    const onRefused = (at: number, reason: string) => {
      reject(rows[at] ?? [], reason);
    };
    await writeByBisection({ table, write, refusalReason: mysqlRefusal, onRefused }, 0, rows.length);
    result.bytes += size;
    slice = [];
    size = 0;
  };

  for await (const batch of batches) {
    for (const row of batch) {
      const length = row.reduce((sum: number, cell) => sum + lengthOf(cell), 0);
      const invalid = row.findIndex((cell) => typeof cell === "number" && !Number.isFinite(cell));
      if (invalid >= 0) reject(row, `the column "${names[invalid]}": MySQL cannot store ${row[invalid]}`);
      else if (length > maxRowBytes)
        reject(row, `the row is larger than max_allowed_packet, ${packet?.size} bytes`);
      else {
        if (size + length > Math.min(insertSize, maxRowBytes)) await flush();
        slice.push(row);
        size += length;
      }
    }
  }
  await flush();
  return result;
}

const parameter = (cell: CellValue) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell);

/** An upper bound of the escaped length. */
function lengthOf(cell: CellValue): number {
  if (typeof cell === "string") return 2 * Buffer.byteLength(cell) + 3;
  return cell instanceof Uint8Array ? 2 * cell.length + 4 : 26;
}
