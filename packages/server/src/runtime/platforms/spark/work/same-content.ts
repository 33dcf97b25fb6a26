import { SparkError } from "@lakehelm/spark-connect";
import type { WorkSession } from "./work-session.ts";

/** Whether two queries return the same rows, each the same number of times. False if that cannot be compared: maps cannot. */
export async function sameContent(
  session: Pick<WorkSession, "number">,
  one: string,
  other: string,
): Promise<boolean> {
  const differs = (left: string, right: string) =>
    session.number(`SELECT count(*) FROM ((${left}) EXCEPT ALL (${right}) LIMIT 1)`);
  try {
    return (await differs(one, other)) === 0 && (await differs(other, one)) === 0;
  } catch (error) {
    if (error instanceof SparkError && /UNSUPPORTED/.test(error.errorClass ?? "")) return false;
    throw error;
  }
}
