import { neverFires } from "@lakehelm/schedule";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Finding } from "./schema-check.ts";

/**
 * A schedule that never fires: the server stores such a connector, and leaves it failed. A warning only: what the server
 * has can be exported and planned.
 */
export function connectorFindings({ definition }: ResolvedResource): Finding[] {
  const { schedule_cron, execution_mode = "batch" } = definition;
  if (typeof schedule_cron !== "string" || execution_mode !== "batch") return [];
  const problem = neverFires(schedule_cron);
  return problem === undefined ? [] : [{ path: ["schedule_cron"], message: `schedule_cron: ${problem}` }];
}
