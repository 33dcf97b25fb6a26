import type { AutomationDefinition } from "@lakehelm/contract";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { PlanContext } from "./statements.ts";

/** Tables of the trigger that do not exist yet. That is not a problem: they may be created later. */
export async function missingTriggerTables(
  { trigger }: Pick<AutomationDefinition, "trigger">,
  created: readonly string[],
  { plan, env, signal }: PlanContext,
): Promise<string[]> {
  const scope = warehouseScope(env);
  const names = (trigger?.table_update?.table_names ?? []).map((name) => fullTableName(name, scope));
  const missing: string[] = [];
  for (const name of new Set(names)) {
    if (created.includes(name)) continue;
    const quoted = name.split(".").map((part) => `\`${part}\``);
    const planned = await plan(env, { sql: `select 1 from ${quoted.join(".")}`, parameters: {} }, signal);
    if (planned && planned.problems.length > 0) missing.push(name);
  }
  return missing;
}
