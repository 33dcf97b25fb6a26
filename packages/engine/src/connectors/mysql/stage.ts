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
  const largest = Number(packet?.size) - 1024;
  const filled = { rows: 0, bytes: 0, rejected: [] as Reject[] };
  const reject = (row: readonly CellValue[], reason: string) =>
    filled.rejected.push(rejectOf(reason, names, row));
  let slice: CellValue[][] = [];
  let size = 0;

  const flush = async () => {
    const rows = slice;
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      const numbered = rows.slice(from, to).map((row, at) => [filled.rows + at, ...row.map(parameter)]);
      await connection.query(`INSERT INTO ${stage} VALUES ?`, [numbered]);
      filled.rows += to - from;
    };
    const refused = (at: number, reason: string) => {
      reject(rows[at] ?? [], reason);
    };
    await writeByBisection({ table, take, refusal: mysqlRefusal, refused }, 0, rows.length);
    filled.bytes += size;
    slice = [];
    size = 0;
  };

  for await (const batch of batches) {
    for (const row of batch) {
      const length = row.reduce((sum: number, cell) => sum + lengthOf(cell), 0);
      const unfit = row.findIndex((cell) => typeof cell === "number" && !Number.isFinite(cell));
      if (unfit >= 0) reject(row, `the column "${names[unfit]}": MySQL cannot store ${row[unfit]}`);
      else if (length > largest)
        reject(row, `the row is larger than max_allowed_packet, ${packet?.size} bytes`);
      else {
        if (size + length > Math.min(insertSize, largest)) await flush();
        slice.push(row);
        size += length;
      }
    }
  }
  await flush();
  return filled;
}

const parameter = (cell: CellValue) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell);

/** An upper bound of the escaped length. */
function lengthOf(cell: CellValue): number {
  if (typeof cell === "string") return 2 * Buffer.byteLength(cell) + 3;
  return cell instanceof Uint8Array ? 2 * cell.length + 4 : 26;
}
