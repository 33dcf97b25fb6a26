import type { AutomationDefinition } from "@lakehelm/contract";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Asking } from "./statements.ts";

/** Tables of the trigger that do not exist yet. That is not a problem: they may be created later. */
export async function awaitedTables(
  { trigger }: Pick<AutomationDefinition, "trigger">,
  made: readonly string[],
  { plan, env, signal }: Asking,
): Promise<string[]> {
  const scope = warehouseScope(env);
  const names = (trigger?.table_update?.table_names ?? []).map((name) => fullTableName(name, scope));
  const awaited: string[] = [];
  for (const name of new Set(names)) {
    if (made.includes(name)) continue;
    const quoted = name.split(".").map((part) => `\`${part}\``);
    const planned = await plan(env, { sql: `select 1 from ${quoted.join(".")}`, parameters: {} }, signal);
    if (planned && planned.problems.length > 0) awaited.push(name);
  }
  return awaited;
}
