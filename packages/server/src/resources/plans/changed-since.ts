import type { EventHistory } from "../../core/events/history.ts";
import { lastChangeOf } from "./last-change.ts";
import { nodeOf } from "./lineage.ts";
import type { StoredStep } from "./plan-rows.ts";
import type { PlannedStep } from "./planner.ts";

const maxNamed = 5;

/** What differs between the state that a plan was made for and the state now, and who changed it. */
export async function changedSince(
  history: Pick<EventHistory, "page">,
  environmentId: string,
  planned: readonly StoredStep[],
  now: readonly PlannedStep[],
): Promise<string> {
  const current = new Map(now.map((one) => [nodeOf(one.step.kind, one.step.name), one]));
  const found: { readonly step: StoredStep["step"]; readonly what: string; readonly id: string | null }[] =
    [];
  for (const { step, restsOn } of planned) {
    const node = nodeOf(step.kind, step.name);
    const one = current.get(node);
    current.delete(node);
    const restsOnNow = one?.restsOn ?? "";
    if (restsOn === restsOnNow) continue;
    const what = restsOnNow === "" ? "is gone" : restsOn === "" ? "exists now" : "was changed";
    found.push({ step, what, id: one?.step.resource_id ?? null });
  }
  for (const { step } of current.values()) found.push({ step, what: "is new here", id: step.resource_id });
  if (found.length === 0) return "what was last applied to the environment";
  const named = await Promise.all(
    found.slice(0, maxNamed).map(async ({ step: { kind, name }, what, id }) => {
      const subject = id === null ? undefined : `${kind}/${kind === "automation" ? name : id}`;
      const last = await lastChangeOf(history, { environmentId, kind, name, subject }, { ofPlans: true });
      return `${kind} ${name} ${what}${last ? ` (by ${last.actor}, ${last.time})` : ""}`;
    }),
  );
  const more = found.length > maxNamed ? `, and ${found.length - maxNamed} more` : "";
  return `${named.join(", ")}${more}`;
}
