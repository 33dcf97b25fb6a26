import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Tables } from "../../core/store/tables.ts";

/**
 * A condition for statements on other tables: whether a run of the job is queued or running. As part of the statement it
 * holds for the transaction, unlike an answer that was read before.
 */
export function hasOpenRun(jobId: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, never>();
  return eb.exists(eb.selectFrom("runs").select("runs.id").where("runs.open_job", "=", jobId));
}
