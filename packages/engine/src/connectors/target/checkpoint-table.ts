import { DataProblem } from "../../protocol/problem.ts";

/** The table in a target that holds the marks of the rows beside it. */
export const checkpointTable = "_lakehelm_marks";

/** Tables of ours are not written to as if they were somebody's. */
export function requireForeignName(table: string): void {
  if (/^_?lakehelm_/i.test(table)) {
    throw new DataProblem(
      `${table} cannot be written: names that begin with "lakehelm_" are Lakehelm's own.`,
    );
  }
}
