import type { AutomationDefinition, JobTrigger } from "@lakehelm/contract";
import { live } from "../../runtime/jobs/job-steps.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Why the trigger could never fire in this environment. */
export function triggerFindings(
  { trigger }: Pick<AutomationDefinition, "trigger">,
  { platform }: Pick<EnvironmentContext, "platform">,
): ValidationFinding[] {
  const path = trigger?.file_arrival?.path;
  const problem = path === undefined ? undefined : platform.pathProblem?.(path);
  return problem === undefined ? [] : [finding(problem, "trigger", "file_arrival", "path")];
}

/** What starts the runs of a release: its schedule, its trigger, or a request. */
export function jobTriggerOf(
  { schedule, trigger }: Pick<AutomationDefinition, "schedule" | "trigger">,
  env: Pick<EnvironmentContext, "environment">,
): JobTrigger {
  if (schedule) return { kind: "cron", cron: schedule.cron, timezone: schedule.timezone ?? "UTC" };
  if (trigger?.table_update) {
    const { table_names, condition } = trigger.table_update;
    const scope = warehouseScope(env);
    return {
      kind: "table_update",
      tables: table_names.map((name) => fullTableName(name, scope)),
      condition,
      ...distancesOf(trigger.table_update),
    };
  }
  if (trigger?.file_arrival) {
    const { path } = trigger.file_arrival;
    return { kind: "file_arrival", path, ...distancesOf(trigger.file_arrival) };
  }
  return trigger?.continuous ? live : { kind: "manual" };
}

const distancesOf = (trigger: {
  readonly wait_after_last_change_seconds: number;
  readonly min_time_between_triggers_seconds: number;
}) => ({
  quiet_seconds: trigger.wait_after_last_change_seconds,
  minimum_seconds: trigger.min_time_between_triggers_seconds,
});
