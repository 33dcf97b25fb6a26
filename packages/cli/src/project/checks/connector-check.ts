import { connectorProblems } from "@lakehelm/contract/connections";
import { neverFires } from "@lakehelm/schedule";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Finding } from "./schema-check.ts";

/**
 * Warns about a schedule that never fires or that is not used. These are no errors, because the server stores such a
 * connector: it can be exported and planned, and an environment may override only `execution_mode`.
 */
export function connectorFindings({ definition }: Pick<ResolvedResource, "definition">): Finding[] {
  const { schedule_cron, execution_mode = "batch" } = definition;
  if (typeof schedule_cron !== "string") return [];
  const unused = `schedule_cron: it is not used, because execution_mode is ${String(execution_mode)}. To run on this schedule, set execution_mode to batch; otherwise remove it.`;
  if (execution_mode !== "batch") return [{ path: ["schedule_cron"], message: unused }];
  const problem = neverFires(schedule_cron);
  return problem === undefined ? [] : [{ path: ["schedule_cron"], message: `schedule_cron: ${problem}` }];
}

/**
 * Problems that prevent every run of a connector. Only `validate` reports them as errors: the server stores such a
 * connector, its export can be planned, and the plan then has a warning.
 */
export const connectionFindings = ({ definition }: Pick<ResolvedResource, "definition">): Finding[] =>
  connectorProblems(definition);
