import { DataProblem } from "../../protocol/problem.ts";
import type { Refusal } from "../../protocol/transfer.ts";

/** A run that refuses more rows than this fails: the cause is probably not in the rows. */
const maxRefusedRows = 10_000;

export interface BisectedWrite {
  readonly table: string;
  /** Writes the rows from index `from` to before index `to`, all or none. */
  write(from: number, to: number): Promise<void>;
  /** Why the target refuses rows; undefined if the error is not about rows. */
  refusalOf(error: unknown): Refusal | undefined;
  /** Called for each refused row. */
  onRefused(at: number, refusal: Refusal): void | Promise<void>;
}

/** Writes all rows that the target accepts. Refused rows are found by bisection. */
export async function writeByBisection(
  { table, write, refusalOf, onRefused }: BisectedWrite,
  from: number,
  to: number,
) {
  let count = 0;
  const ranges: [number, number][] = from < to ? [[from, to]] : [];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [start, end] = range;
    try {
      await write(start, end);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (end - start > 1) {
        const middle = Math.floor((start + end) / 2);
        // The first half is written first, so that rows keep their order.
        ranges.push([middle, end], [start, middle]);
        continue;
      }
      if (++count > maxRefusedRows) {
        throw new DataProblem(
          `${table} refused more than ${maxRefusedRows} rows of this run. The last reason: ${refusal.cause ?? refusal.reason}`,
        );
      }
      await onRefused(start, refusal);
    }
  }
}
