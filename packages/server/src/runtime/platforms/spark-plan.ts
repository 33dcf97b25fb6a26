import { DataProblem } from "@lakehelm/engine";

/** Reads the answer of Spark's EXPLAIN, which reports a mistake in the query as a plan. */
export function sparkPlanText(plan: string): string {
  const [, mistake] = /^Error occurred during query planning:\s*([\s\S]*)$/.exec(plan) ?? [];
  if (mistake !== undefined) throw new DataProblem(mistake.trim());
  return plan.trim();
}
