import { DataProblem } from "../../protocol/problem.ts";

/** Beyond this, the rows are not the problem. */
const mostRefused = 10_000;

export interface BisectedWrite {
  readonly table: string;
  /** Writes the rows from one index to before another, all or none. */
  take(from: number, to: number): Promise<void>;
  /** Why the target refuses rows; undefined if the error is not about rows. */
  refusal(error: unknown): string | undefined;
  /** Called for each refused row. */
  refused(at: number, reason: string): void | Promise<void>;
}

/** Writes all rows that the target accepts. Refused rows are found by bisection. */
export async function writeByBisection(
  { table, take, refusal, refused }: BisectedWrite,
  from: number,
  to: number,
) {
  let count = 0;
  const ranges: [number, number][] = from < to ? [[from, to]] : [];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [start, end] = range;
    try {
      await take(start, end);
    } catch (error) {
      const reason = refusal(error);
      if (reason === undefined) throw error;
      if (end - start > 1) {
        const middle = Math.floor((start + end) / 2);
        // The first half is written first, so that rows keep their order.
        ranges.push([middle, end], [start, middle]);
        continue;
      }
      if (++count > mostRefused) {
        throw new DataProblem(
          `${table} has refused more than ${mostRefused} rows of one run. The last reason: ${reason}`,
        );
      }
      await refused(start, reason);
    }
  }
}
