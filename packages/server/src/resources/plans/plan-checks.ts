import {
  cannotRunRules,
  connectionRule,
  droppedColumnsRule,
  type Environment,
  flowDeletesRule,
  leftTablesRule,
  type PlanFinding,
  type PlanOverview,
  type PlanPolicy,
  type PlanStep,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { usesVariable } from "@lakehelm/policy";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import { includesRole, roleIn } from "../../web/http/call.ts";
import type { CallerNow } from "../../web/identity/authenticate.ts";
import type { Environments } from "../environments/environments.ts";
import { nodeOf } from "./lineage.ts";
import { findingsOf } from "./plan-policies.ts";
import type { PlanRows, StoredStep } from "./plan-rows.ts";
import type { BuiltPlan, createPlanner, DesiredResource, PlanInput } from "./planner.ts";
import type { PolicyFacts } from "./policy-facts.ts";

/** Evaluates policies and approvals again when a plan is approved, applied or resumed, and while it is carried out. */
export interface PlanChecks {
  /** The policies of the server, then those of the plan. */
  policies(planId: string): Promise<readonly PlanPolicy[]>;
  inputOf(plan: PlanOverview, steps: readonly StoredStep[], context: ChangeContext): Promise<Open>;
  /** What the policies find now. `detailed`: the plan with what policies see, if it is built already. */
  findings(plan: PlanOverview, input: Open, detailed?: BuiltPlan): Promise<PlanFinding[]>;
  /** The status that follows from the findings, the environment, and the approvals of those who are still admins. */
  judged(
    plan: Judged,
    findings: readonly PlanFinding[],
    environment: Environment,
    policies: readonly PlanPolicy[],
  ): Promise<Pick<PlanOverview, "status" | "status_reason">>;
  /** The status for writing a file of a plan before it is applied: with time, policies may find something else. */
  judgedForFiles(
    plan: PlanOverview,
    environment: Environment,
    context: ChangeContext,
  ): Promise<Pick<PlanOverview, "status" | "status_reason">>;
  /** For the steps of a plan that is carried out: throws if a step is not allowed any more. */
  watch(plan: PlanOverview): (step: PlanStep, context: ChangeContext) => Promise<void>;
}

type Judged = Pick<PlanOverview, "approvals" | "approved_by" | "summary">;

type Open = Omit<PlanInput, "withDetails">;

interface ChecksOptions {
  readonly rows: PlanRows;
  readonly planner: ReturnType<typeof createPlanner>;
  readonly environments: Pick<Environments, "read">;
  /** The policies of the server, which apply to every plan. */
  readonly serverPolicies: readonly PlanPolicy[];
  readonly facts: PolicyFacts;
  readonly callerNow: CallerNow;
}

/** Rules of Lakehelm itself, whose findings are kept, because no policy makes them again. */
const ownRules: readonly string[] = [
  ...cannotRunRules,
  flowDeletesRule,
  droppedColumnsRule,
  connectionRule,
  leftTablesRule,
];
/** When a plan is applied, its files are already in the workspace. */
const noFiles: ReadonlyMap<string, string | null> = new Map();
/** Policies judge 100 steps at once, and again after five seconds, because a freeze may begin during an apply. */
const stepsAtOnce = 100;
const validMs = 5_000;

export function createPlanChecks(
  { system }: Pick<Dependencies, "system">,
  { rows, planner, environments, serverPolicies, facts, callerNow }: ChecksOptions,
): PlanChecks {
  /** The plan without the approvals of those who are no longer admins. */
  async function withStandingApprovals<Plan extends Approved>(plan: Plan, environment: Environment) {
    const fallen = new Set<string>();
    for (const { by, user_id: id } of plan.approvals ?? []) {
      const caller = typeof id === "string" ? await callerNow({ id, name: by }) : undefined;
      const counts =
        typeof id !== "string" || (caller && includesRole(roleIn(caller, environment.id), "admin"));
      if (!counts) fallen.add(by);
    }
    const approvals = plan.approvals?.filter(({ by }) => !fallen.has(by));
    return { standing: fallen.size === 0 ? plan : { ...plan, approvals }, fallen };
  }

  const judgedNow: PlanChecks["judged"] = async (plan, findings, environment, policies) => {
    const { standing, fallen } = await withStandingApprovals(plan, environment);
    const { status, status_reason } = judged(standing, findings, environment, policies);
    if (status !== "needs_approval" || fallen.size === 0) return { status, status_reason };
    const former = [...fallen].map((by) => `${by} approved it and is no longer an admin there.`);
    return { status, status_reason: [status_reason, ...former].join(" ") };
  };

  /** Cached, because many files are written one after the other. */
  let lastFound: { readonly key: string; readonly at: number; readonly found: PlanFinding[] } | undefined;

  async function foundForFiles(
    plan: PlanOverview,
    asked: readonly PlanPolicy[],
    environment: Environment,
    context: ChangeContext,
  ): Promise<PlanFinding[]> {
    const approvals = approversOf((await withStandingApprovals(plan, environment)).standing);
    const key = encodeJson([plan.id, context.actor, approvals]);
    const now = system.monotonicMs();
    if (lastFound?.key === key && now - lastFound.at <= validMs) return lastFound.found;
    const input = await inputOf(plan, await rows.steps(plan.id), context);
    const { steps } = await planner.build({ ...input, withDetails: true });
    const found = await findingsOf(asked, steps, { ...input, approvals, facts });
    lastFound = { key, at: now, found };
    return found;
  }

  /** The policies of the server come first, so that no rule of a project can use up their time. */
  const policies = async (planId: string) => [...serverPolicies, ...(await rows.policies(planId))];

  /** The desired resources of a stored plan. */
  async function inputOf(plan: PlanOverview, steps: readonly StoredStep[], context: ChangeContext) {
    const { doc: environment } = await environments.read(plan.environment_id);
    const { project, prune } = plan;
    return { environment, project, prune, context, resources: desiredOf(rows, steps), files: noFiles };
  }

  return {
    policies,
    inputOf,
    async findings(plan, input, detailed) {
      const asked = await policies(plan.id);
      const { standing } = await withStandingApprovals(plan, input.environment);
      const about = { ...input, approvals: approversOf(standing), facts };
      const built =
        detailed ?? (asked.length > 0 ? await planner.build({ ...input, withDetails: true }) : undefined);
      const found = built ? await findingsOf(asked, built.steps, about) : [];
      // Findings of Lakehelm's own rules are kept: before a step changes a flow, it asks the warehouse again.
      const own = (await rows.findings(plan.id)).filter(({ policy }) => ownRules.includes(policy));
      return [...own, ...found];
    },
    judged: judgedNow,
    async judgedForFiles(plan, environment, context) {
      const asked = await policies(plan.id);
      // Only rules about time and approvals are evaluated again. The others have seen the files, which are not in the
      // workspace yet.
      const again = asked.filter(({ rule }) => ["now", "approvals"].some((name) => usesVariable(rule, name)));
      const names = new Set(again.map(({ name }) => name));
      const known = (await rows.findings(plan.id)).filter(({ policy }) => !names.has(policy));
      const found = again.length > 0 ? await foundForFiles(plan, again, environment, context) : [];
      return judgedNow(plan, [...known, ...found], environment, asked);
    },
    watch(plan) {
      let asked: readonly PlanPolicy[] | undefined;
      let built: BuiltPlan | undefined;
      let known = new Map<string, readonly PlanFinding[]>();
      let at = 0;
      return async (step, context) => {
        asked ??= await policies(plan.id);
        const { doc: environment } = await environments.read(plan.environment_id);
        const node = nodeOf(step.kind, step.name);
        if (asked.length > 0 && (!known.has(node) || system.monotonicMs() - at > validMs)) {
          const input = await inputOf(plan, await rows.steps(plan.id), context);
          // Each step compares the live state itself, so policies need no newer state than that at the start of the
          // apply.
          built ??= await planner.build({ ...input, withDetails: true });
          const from = built.steps.findIndex((one) => nodeOf(one.step.kind, one.step.name) === node);
          const window = built.steps.slice(from, from + stepsAtOnce);
          const found = await findingsOf(asked, window, {
            ...input,
            approvals: approversOf((await withStandingApprovals(plan, environment)).standing),
            counted: built.steps,
            facts,
          });
          at = system.monotonicMs();
          known = new Map(
            window.map(({ step: { kind, name, position } }) => [
              nodeOf(kind, name),
              found.filter((one) => one.position === null || one.position === position),
            ]),
          );
        }
        const { status, status_reason } = await judgedNow(plan, known.get(node) ?? [], environment, asked);
        if (status !== "planned" && status !== "approved") throw conflict(status_reason ?? status);
      };
    },
  };
}

export const desiredOf = (rows: PlanRows, steps: readonly StoredStep[]): DesiredResource[] =>
  steps.flatMap((stored) => {
    const design = rows.design(stored);
    if (!design) return [];
    const { open, masked, initial, codeFiles } = design;
    const { kind, name, file } = stored.step;
    return [{ kind, name, file, definition: { open, masked }, isDeclared: true, initial, codeFiles }];
  });

type Approved = Pick<PlanOverview, "approvals" | "approved_by">;

/** Who has approved a plan. Plans of earlier versions of Lakehelm have one approval. */
export const approversOf = ({ approvals, approved_by }: Approved): string[] =>
  approvals?.map(({ by }) => by) ?? (approved_by === null ? [] : [approved_by]);

/** The status that follows from the findings, the environment and the approvals. */
export function judged(
  plan: Judged,
  findings: readonly PlanFinding[],
  environment: Environment,
  policies: readonly PlanPolicy[],
): Pick<PlanOverview, "status" | "status_reason"> {
  const denied = findings.find(({ level }) => level === "deny");
  if (denied) {
    const { policy, kind, name, message } = denied;
    const what = cannotRunRules.includes(policy)
      ? `The ${kind} ${name} cannot run`
      : `The policy ${policy} denies it`;
    return { status: "refused", status_reason: `${what}: ${message}` };
  }
  const { create, update, replace, delete: deleted } = plan.summary;
  if (create + update + replace + deleted === 0) return { status: "planned", status_reason: null };
  const approvals = approversOf(plan).length;
  const countApprovals = new Set(
    policies.filter(({ rule }) => usesVariable(rule, "approvals")).map(({ name }) => name),
  );
  const asking = findings.find(
    ({ level, policy }) => level === "approve" && (approvals === 0 || countApprovals.has(policy)),
  );
  if (asking) {
    const another = approvals === 0 ? "an approval by another admin" : "an approval by one more admin";
    const status_reason = `The policy ${asking.policy} requires ${another}: ${asking.message}`;
    return { status: "needs_approval", status_reason };
  }
  if (environment.protected && approvals === 0) {
    const status_reason = `It changes the protected environment ${environment.name}: another admin must approve the plan.`;
    return { status: "needs_approval", status_reason };
  }
  return { status: approvals > 0 ? "approved" : "planned", status_reason: null };
}
