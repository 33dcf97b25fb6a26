import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { shown, suggestion } from "@lakehelm/contract/text";
import { timezoneProblem, toQuartz } from "@lakehelm/schedule";
import { plainName, type TableName } from "@lakehelm/sql/names";
import type { FlowTrigger } from "../flow.ts";

/** The trigger of the flow. A schedule must be valid even if the flow does not use it. */
export function readTrigger(
  request: ConsumptionFlowInput,
  sources: readonly TableName[],
  problems: string[],
): FlowTrigger {
  const schedule = readSchedule(request, problems);
  switch (request.trigger_type) {
    case "scheduled":
      if (!request.schedule)
        problems.push("schedule: it is missing. A scheduled flow needs a cron expression.");
      return schedule ?? { kind: "manual" };
    case "table_update":
      if (request.source_tables.length === 0) {
        problems.push("source_tables: it is empty. A flow with table_update runs when one of them changes.");
      }
      return { kind: "table_update", tables: sources.map(plainName) };
    case "manual":
      return { kind: "manual" };
    default:
      problems.push(
        `trigger_type: ${shown(request.trigger_type)} is not known. Expected scheduled, manual or table_update.${suggestion(request.trigger_type, ["scheduled", "manual", "table_update"])}`,
      );
      return { kind: "manual" };
  }
}

function readSchedule({ schedule }: ConsumptionFlowInput, problems: string[]): FlowTrigger | undefined {
  if (!schedule) return undefined;
  const timezone = schedule.timezone ?? "UTC";
  const converted = toQuartz(schedule.cron);
  if ("problem" in converted) problems.push(`schedule.cron: ${converted.problem}`);
  const problem = timezoneProblem(timezone);
  if (problem) problems.push(`schedule.timezone: ${problem}`);
  if ("problem" in converted || problem) return undefined;
  return { kind: "schedule", schedule: { cron: schedule.cron, quartz: converted.quartz, timezone } };
}
