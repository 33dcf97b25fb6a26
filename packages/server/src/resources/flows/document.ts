import type { ConsumptionFlowInput, Flow, JobTrigger } from "@lakehelm/contract";
import type { WarehouseScope } from "@lakehelm/engine";
import type { ChangeContext } from "../../core/store/store.ts";
import { fullTableName } from "../../runtime/platforms/warehouse.ts";

/** A flow as it was declared, before any request to the platform. */
export const declaredFlow = (
  id: string,
  environmentId: string,
  definition: ConsumptionFlowInput,
  context: ChangeContext,
  status: "created" | "paused",
): Flow => ({
  id,
  environment_id: environmentId,
  name: definition.flow_name,
  definition,
  status,
  workflow_id: null,
  error_message: null,
  created_at: context.time,
  updated_at: context.time,
  created_by: context.actor,
  updated_by: null,
});

/** The trigger of the flow's job. Code generation has already validated the definition. */
export function flowTrigger(
  { trigger_type, schedule, source_tables, target_name }: ConsumptionFlowInput,
  scope: WarehouseScope,
): JobTrigger {
  if (trigger_type === "scheduled" && schedule) {
    return { kind: "cron", cron: schedule.cron, timezone: schedule.timezone ?? "UTC" };
  }
  if (trigger_type !== "table_update") return { kind: "manual" };
  const unmatched = `${fullTableName(target_name, scope)}_unmatched`;
  // The flow writes this table itself: a recheck reads it, and must not trigger the next run.
  const tables = source_tables.map((name) => fullTableName(name, scope)).filter((name) => name !== unmatched);
  return {
    kind: "table_update",
    tables: [...new Set(tables)],
    condition: "any",
    quiet_seconds: 0,
    minimum_seconds: 0,
  };
}
