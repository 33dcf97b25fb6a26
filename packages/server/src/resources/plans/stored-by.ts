import type { PlanKind } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { turns } from "../../core/concurrency/turns.ts";
import type { StoredChange } from "../../core/store/change.ts";
import type { StoredKind } from "../../core/store/tables.ts";
import type { PlannedStep } from "./planner.ts";

const kinds: Readonly<Record<PlanKind, { readonly kind: StoredKind; readonly isShared: boolean }>> = {
  agent: { kind: "agents", isShared: true },
  app: { kind: "apps", isShared: false },
  automation: { kind: "automations", isShared: true },
  connector: { kind: "connectors", isShared: false },
  flow: { kind: "flows", isShared: false },
  pipeline: { kind: "pipelines", isShared: false },
};

/**
 * What a plan adds to the stored usage, as far as its definitions tell: a plan without room for it is refused when it
 * is made. Deletions come last, so they make no room.
 */
export async function storedBy(
  steps: readonly PlannedStep[],
  environmentId: string,
): Promise<StoredChange[]> {
  const changes: StoredChange[] = [];
  const turn = turns();
  for (const { step, desired, live } of steps) {
    if (step.action !== "create" && step.action !== "update") continue;
    await turn();
    const { kind, isShared } = kinds[step.kind];
    const n = step.action === "create" ? 1 : 0;
    const bytes = Math.max(0, sizeOf(desired) - sizeOf(live));
    changes.push({ kind, environmentId: isShared ? null : environmentId, n, bytes });
  }
  return changes;
}

const sizeOf = (definition: PlannedStep["desired"]): number =>
  definition ? Buffer.byteLength(encodeJson(definition.masked)) : 0;
