import { connectorProblems } from "@lakehelm/contract/connections";
import { neverFires } from "@lakehelm/schedule";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Finding } from "./schema-check.ts";

/**
 * A schedule that never fires, or that no run follows: the server stores such a connector. A warning only: what the server
 * has can be exported and planned, and an environment may override the mode alone.
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
 * What prevents every run of a connector. Only `validate` says it: the server stores such a connector, an export of it can be
 * planned, and the plan has it as a warning.
 */
export const connectionFindings = ({ definition }: Pick<ResolvedResource, "definition">): Finding[] =>
  connectorProblems(definition);
