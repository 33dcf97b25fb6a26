import { DataProblem } from "../../protocol/problem.ts";

/** More than that is not a matter of single rows. */
const mostRefused = 10_000;

export interface BisectedWrite {
  readonly table: string;
  /** Takes the rows from one place to before the other, all of them or none. */
  take(from: number, to: number): Promise<void>;
  /** Why the target refuses rows; undefined: the error is not about rows. */
  refusal(error: unknown): string | undefined;
  /** One row, found at last. */
  refused(at: number, reason: string): void | Promise<void>;
}

/** Takes what the target takes. Rows that it refuses are found by halving what was refused. */
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
        // The first half is taken first: rows keep their order.
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
