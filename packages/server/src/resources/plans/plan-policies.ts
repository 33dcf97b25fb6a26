import type { Environment, PlanFinding, PlanPolicy, PlanProject } from "@lakehelm/contract";
import { checkPolicies, type PolicyInput } from "@lakehelm/policy";
import { turns } from "../../core/concurrency/turns.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { PlannedStep } from "./planner.ts";

const maxFindings = 1000;
const levels = ["deny", "approve", "warn"] as const;

/** What the policies say about the changes of a plan. */
export async function findingsOf(
  policies: readonly PlanPolicy[],
  steps: readonly PlannedStep[],
  environment: Environment,
  project: PlanProject,
  context: ChangeContext,
): Promise<PlanFinding[]> {
  if (policies.length === 0) return [];
  const changed = steps.filter(({ step }) => step.action !== "none");
  const inputs: PolicyInput[] = [];
  const turn = turns();
  for (const one of changed) {
    await turn();
    const { action, kind, name, resource_id, impact } = one.step;
    inputs.push({
      action,
      resource: { kind, name, id: resource_id },
      before: one.live?.masked ?? {},
      after: { ...one.desired?.masked, ...(one.desired && one.initial) },
      changes: one.changes.map(({ path, sensitive, isPlainSecret }) => ({
        path,
        sensitive,
        reference: !isPlainSecret,
      })),
      downstream: one.usedAfterwards().map(({ kind, name }) => ({ kind, name })),
      running_runs: impact?.running_runs ?? [],
      data_lost: impact?.data_lost ?? [],
      actor: context.actor,
      environment: {
        name: environment.name,
        protected: environment.protected,
        platform: environment.platform,
      },
      project: { name: project.name, commit: project.commit ?? null, branch: project.branch ?? null },
      now: context.time,
    });
  }
  const results = await checkPolicies(policies, inputs, { maxResults: maxFindings });
  // What decides about the plan comes first: many warnings must not push a denial off the list.
  const sorted = results.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return sorted.slice(0, maxFindings).map(({ policy, level, at, message }) => {
    const step = at === null ? undefined : changed[at]?.step;
    return {
      policy,
      level,
      position: step?.position ?? null,
      kind: step?.kind ?? null,
      name: step?.name ?? null,
      message,
    };
  });
}
