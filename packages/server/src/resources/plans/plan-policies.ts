import type { PlanFinding, PlanPolicy } from "@lakehelm/contract";
import { checkPolicies, type PolicyInput } from "@lakehelm/policy";
import { turns } from "../../core/concurrency/turns.ts";
import type { PlanInput, PlannedStep } from "./planner.ts";
import type { PolicyFacts } from "./policy-facts.ts";

const maxFindings = 1000;
const levels = ["deny", "approve", "warn"] as const;

interface About extends Pick<PlanInput, "environment" | "project" | "context"> {
  readonly approvals: readonly string[];
  /** All steps of the plan, if policies judge only some of them. */
  readonly counted?: readonly PlannedStep[];
  readonly facts: PolicyFacts;
}

/** The findings of policies about the changes of a plan. */
export async function findingsOf(
  policies: readonly PlanPolicy[],
  steps: readonly PlannedStep[],
  { environment, project, context, approvals, counted = steps, facts }: About,
): Promise<PlanFinding[]> {
  if (policies.length === 0) return [];
  const count = (action: string) => counted.filter(({ step }) => step.action === action).length;
  const counts = {
    create: count("create"),
    update: count("update"),
    replace: count("replace"),
    delete: count("delete"),
  };
  const changed = steps.filter(({ step }) => step.action !== "none");
  const inputs: PolicyInput[] = [];
  const asked = facts(environment, policies);
  const turn = turns();
  for (const one of changed) {
    await turn();
    const { action, kind, name, resource_id, impact } = one.step;
    inputs.push({
      action,
      resource: { kind, name, id: resource_id, owner: one.owner },
      before: one.live?.masked ?? {},
      after: { ...one.desired?.masked, ...(one.desired && one.initial) },
      changes: one.changes.map(({ path, sensitive, isPlainSecret }) => ({
        path,
        sensitive,
        reference: !isPlainSecret,
      })),
      // Fails closed: a resource whose code cannot be read counts as a reader.
      downstream: readersOf(one),
      tables: await asked.tables(one),
      sql: await asked.sql(one),
      running_runs: impact?.running_runs ?? [],
      data_lost: impact?.data_lost ?? [],
      steps: counts,
      approvals,
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
  // Denials come first: many warnings must not push a denial off the list.
  const sorted = results.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return sorted.slice(0, maxFindings).map(({ policy, level, at, message }) => {
    const planned = at === null ? undefined : changed[at];
    const { step } = planned ?? {};
    const rule = policies.find(({ name }) => name === policy)?.rule ?? "";
    return {
      policy,
      level,
      position: step?.position ?? null,
      kind: step?.kind ?? null,
      name: step?.name ?? null,
      message: `${message}${/\bdownstream\b/.test(rule) ? unknownText(planned) : ""}`,
    };
  });
}

function readersOf({ usedAfterwards, mayBeUsedBy }: PlannedStep): PolicyInput["downstream"] {
  const known = usedAfterwards().map(({ kind, name }) => ({ kind, name }));
  const isKnown = new Set(known.map(({ kind, name }) => `${kind}/${name}`));
  return [...known, ...mayBeUsedBy.filter(({ kind, name }) => !isKnown.has(`${kind}/${name}`))];
}

const maxNamed = 5;

/** Names the resources that the rule counted as readers only because their code is unknown. */
function unknownText(planned: PlannedStep | undefined): string {
  const { mayBeUsedBy = [] } = planned ?? {};
  if (mayBeUsedBy.length === 0) return "";
  const named = mayBeUsedBy.slice(0, maxNamed).map(({ kind, name }) => `${kind} ${name}`);
  const more = mayBeUsedBy.length > maxNamed ? ` and ${mayBeUsedBy.length - maxNamed} more` : "";
  return ` It is not known which tables these read, so they count as readers: ${named.join(", ")}${more}.`;
}
