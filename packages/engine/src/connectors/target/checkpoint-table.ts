import { DataProblem } from "../../protocol/problem.ts";

/** The table in a target that stores its checkpoints. */
export const checkpointTable = "_lakehelm_marks";

/** Lakehelm's own tables cannot be used as targets. */
export function requireUnreservedName(table: string): void {
  if (/^_?lakehelm_/i.test(table)) {
    throw new DataProblem(
      `${table} cannot be written: names that begin with "lakehelm_" are reserved for Lakehelm.`,
    );
  }
}
