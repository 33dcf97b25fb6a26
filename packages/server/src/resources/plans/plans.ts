import {
  droppedColumnsRule,
  type Environment,
  flowDeletesRule,
  flowSqlRule,
  type PlanFinding,
  type PlanOverview,
  type PlanPolicy,
  type PlanRequest,
} from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, InvalidRequest, notFound } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import type { JoinedPage, Scope, Stored } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, retryOnConflict, type Step, subjectOf } from "../../core/store/store.ts";
import { includesRole, roleIn } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import { type ApplyPayload, applyKey, applyTopic } from "./apply-topic.ts";
import { readResources, requirePolicies } from "./desired.ts";
import { droppedColumnFindings } from "./dropped-columns.ts";
import type { CheckFlows } from "./flow-check.ts";
import { withConsequences } from "./impact.ts";
import { lostDeleteFindings } from "./lost-deletes.ts";
import { findingsOf } from "./plan-policies.ts";
import type { PlanRows, StoredStep } from "./plan-rows.ts";
import type { PlannedKind } from "./planned-kind.ts";
import {
  type BuiltPlan,
  type createPlanner,
  type DesiredResource,
  type PlanInput,
  scopeOf,
} from "./planner.ts";

export interface Plans {
  /** The text of the plan, or the validation errors of its definitions. */
  create(
    body: PlanRequest,
    withUnchanged: boolean,
    call: CreateRequest & { readonly caller: Caller },
  ): Promise<{ readonly text: string } | { readonly errors: readonly ValidationError[] }>;
  text(id: string, withUnchanged: boolean): Promise<string>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<PlanOverview>>;
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  approve(id: string, context: ChangeContext): Promise<PlanOverview>;
  /** Begins to carry out a plan, or resumes one that stopped. */
  apply(id: string, context: ChangeContext): Promise<PlanOverview>;
  /** Steps for the deletion of an environment: its plans are kept. */
  detach(environmentId: string): Step[];
}

interface PlansOptions {
  readonly rows: PlanRows;
  readonly planner: ReturnType<typeof createPlanner>;
  readonly kinds: readonly PlannedKind[];
  readonly environments: Environments;
  readonly outbox: Pick<Outbox, "add" | "wake">;
  readonly checkFlows: CheckFlows;
  /** Those of the server, which hold for every plan. */
  readonly policies: readonly PlanPolicy[];
}

/** Findings of Lakehelm itself, which no policy makes again. */
const ownRules: readonly string[] = [flowSqlRule, flowDeletesRule, droppedColumnsRule];

export const planSubject = (id: string) => subjectOf("plan", id);

export function createPlans({ store, system, settings }: Dependencies, options: PlansOptions): Plans {
  const { rows, planner, kinds, environments, outbox, checkFlows } = options;
  /** The server's first: no rule of a project can use up the time that theirs need. */
  const withServer = (policies: readonly PlanPolicy[]) => [...options.policies, ...policies];

  async function resourcesOf(body: PlanRequest, caller: Caller) {
    if (body.source_plan === undefined || body.source_plan === null) return readResources(body, kinds);
    const place = ["body", "source_plan"];
    if (body.resources.length > 0) {
      throw new InvalidRequest(place, "Send either source_plan or resources.", body.source_plan);
    }
    const source = await rows.read(body.source_plan);
    const from = source.doc.environment_id;
    // Its secrets would be used here: whoever may not change that environment may not take them from it.
    const role = roleIn({ ...caller, role: caller.serverRole ?? caller.role }, from);
    if (role === "none") throw notFound(`There is no plan ${body.source_plan}.`);
    if (!includesRole(role, "operator")) {
      throw forbidden(`This requires the role operator in the environment "${source.doc.environment}".`);
    }
    if (source.doc.status !== "applied") {
      throw conflict(
        `The plan ${source.id} is ${source.doc.status}: only one that is applied can be promoted.`,
      );
    }
    return desiredOf(await rows.steps(source.id));
  }

  /** The desired resources of a stored plan. */
  const desiredOf = (steps: readonly StoredStep[]): DesiredResource[] =>
    steps.flatMap((stored) => {
      const design = rows.design(stored);
      if (!design) return [];
      const { open, masked, initial } = design;
      const { kind, name, file } = stored.step;
      return [{ kind, name, file, definition: { open, masked }, isDeclared: true, initial }];
    });

  function overviewOf(
    built: BuiltPlan,
    findings: readonly PlanFinding[],
    { environment, project, prune, context }: PlanInput,
  ): PlanOverview {
    const count = (action: string) => built.steps.filter(({ step }) => step.action === action).length;
    const doc: PlanOverview = {
      id: system.newId(),
      hash: built.hash,
      design_hash: built.designHash,
      environment_id: environment.id,
      environment: environment.name,
      project: { name: project.name, commit: project.commit ?? null, branch: project.branch ?? null },
      project_name: project.name,
      prune,
      status: "planned",
      status_reason: null,
      created_at: context.time,
      created_by: context.actor,
      updated_at: context.time,
      approved_by: null,
      approved_at: null,
      applied_by: null,
      applied_at: null,
      summary: {
        create: count("create"),
        update: count("update"),
        replace: count("replace"),
        delete: count("delete"),
        unchanged: count("none"),
        drifted: built.steps.filter(({ step }) => step.drift.length > 0).length,
        done: 0,
        findings: findings.length,
      },
    };
    return { ...doc, ...judged(doc, findings, environment) };
  }

  /** The plan, and what is wrong with the flows that it changes. */
  async function builtWithChecks(input: PlanInput): Promise<BuiltPlan & { flows: readonly PlanFinding[] }> {
    const built = await planner.build(input);
    if (!built.around) return { ...built, flows: [] };
    const open = () => environments.actIn(input.environment.id);
    const { findings: sql, unchecked, targets } = await checkFlows(built.steps, built.around, open);
    const scope = scopeOf(input.environment);
    const findings = [
      ...sql,
      ...lostDeleteFindings(built, scope),
      ...(await droppedColumnFindings(built.steps, built.around, scope, open)),
    ];
    const steps = built.steps.map((one) => {
      const { position, impact } = one.step;
      const why = unchecked.get(position);
      const target = targets.get(position);
      if (why === undefined && !target) return one;
      const known = impact && target && { ...impact, ...withConsequences(built.ofFlow(one, target)) };
      return {
        ...one,
        step: { ...one.step, ...(why !== undefined && { unchecked: why }), ...(known && { impact: known }) },
      };
    });
    return { ...built, steps, flows: findings };
  }

  async function inputOf(plan: PlanOverview, steps: readonly StoredStep[], context: ChangeContext) {
    const { doc: environment } = await environments.read(plan.environment_id);
    const { project, prune } = plan;
    return { environment, project, prune, context, resources: desiredOf(steps) };
  }

  async function settle(
    before: Stored<PlanOverview>,
    change: Partial<PlanOverview>,
    kind: string,
    context: ChangeContext,
    steps: readonly Step[] = [],
  ): Promise<PlanOverview> {
    const doc = { ...before.doc, ...change, updated_at: context.time };
    const { environment_id, project_name, status, status_reason } = doc;
    const data = { environment_id, project: project_name, status, reason: status_reason };
    await store.apply({
      context: withPlan(context, doc),
      steps: [...rows.rows.update(before, { doc }), ...steps],
      events: [{ kind, subject: planSubject(doc.id), data }],
    });
    return doc;
  }

  /** Checks again what may have changed since the plan was made: the environment, the policies and the time. */
  async function requireCurrent(before: Stored<PlanOverview>, context: ChangeContext): Promise<void> {
    const steps = await rows.steps(before.id);
    const input = await inputOf(before.doc, steps, context);
    const now = await planner.build({ ...input, withDetails: false });
    if (now.hash !== before.doc.hash) {
      const status_reason =
        "What the plan rests on has changed since it was made: a resource of the environment, or what was last applied. Make a new plan.";
      await settle(before, { status: "stale", status_reason }, "plan.stale", context);
      throw conflict(status_reason);
    }
    const policies = withServer(await rows.policies(before.id));
    if (policies.length === 0 && !input.environment.protected) return;
    const detailed = policies.length === 0 ? now : await planner.build({ ...input, withDetails: true });
    const found = await findingsOf(policies, detailed.steps, input.environment, before.doc.project, context);
    // A step asks the warehouse again before it changes a flow.
    const flows = (await rows.findings(before.id)).filter(({ policy }) => ownRules.includes(policy));
    const findings = [...flows, ...found];
    const { status, status_reason } = judged(before.doc, findings, input.environment);
    if (status === "planned" || status === "approved") return;
    const kind = status === "refused" ? "plan.refused" : "plan.approval_required";
    const summary = { ...before.doc.summary, findings: findings.length };
    const kept = [rows.setFindings(before.id, findings)];
    await settle(before, { status, status_reason, summary }, kind, context, kept);
    throw conflict(status_reason ?? "The plan cannot be applied.");
  }

  return {
    async create(body, withUnchanged, { context, caller, saveAnswer }) {
      requirePolicies(body);
      const { doc: environment } = await environments.read(body.environment);
      const resources = await resourcesOf(body, caller);
      if ("errors" in resources) return resources;
      const { project, prune, policies } = body;
      const input = { environment, project, resources, prune, context, withDetails: true };
      const { flows, ...built } = await builtWithChecks(input);
      const found = await findingsOf(withServer(policies), built.steps, environment, project, context);
      const findings = [...flows, ...found];
      const doc = overviewOf(built, findings, input);
      const steps = rows.insert(doc, built.steps, { policies, findings });
      const excess = await rows.excess(environment.id, settings.PLATFORM_PLANS_KEPT - 1);
      const { summary, status } = doc;
      const text = rows.newText(doc, built.steps, findings, withUnchanged);
      await store.apply({
        context: withPlan(context, doc),
        steps: [
          ...saveAnswer(text, undefined),
          ...steps,
          ...excess.flatMap((plan) => rows.rows.remove(plan)),
        ],
        events: [
          {
            kind: "plan.created",
            subject: planSubject(doc.id),
            data: { environment_id: environment.id, project: project.name, status, summary },
          },
        ],
      });
      return { text };
    },
    text: async (id, withUnchanged) => rows.text(await rows.read(id), withUnchanged),
    page: rows.rows.list,
    environmentsOf: (id) => rows.rows.environmentsOf(id),
    approve: (id, context) =>
      retryOnConflict(async () => {
        const before = await rows.read(id);
        const { status, created_by, approved_by } = before.doc;
        if (status === "approved" && approved_by === context.actor) return before.doc;
        if (status !== "needs_approval") {
          throw conflict(`The plan is ${status}: only one that needs an approval can be approved.`);
        }
        if (created_by === context.actor) {
          throw forbidden("You made this plan. Another admin must approve it.");
        }
        const approval = { approved_by: context.actor, approved_at: context.time };
        return settle(
          before,
          { status: "approved", status_reason: null, ...approval },
          "plan.approved",
          context,
        );
      }),
    apply: (id, context) =>
      retryOnConflict(async () => {
        const before = await rows.read(id);
        const { status, environment_id, status_reason } = before.doc;
        if (status === "applied" || status === "applying") return before.doc;
        if (status !== "planned" && status !== "approved" && status !== "failed") {
          throw conflict(status_reason ?? `The plan is ${status}.`);
        }
        await environments.actIn(environment_id);
        const holder = await rows.lockOf(environment_id);
        if (holder) throw busy(holder.actor, holder.plan_id, holder.started_at);
        // What is left of a plan that stopped is checked step by step.
        if (status !== "failed") await requireCurrent(before, context);
        const { actor, role, serverRole, requestId, time } = context;
        const payload: ApplyPayload = {
          plan_id: id,
          actor,
          role: role ?? null,
          server_role: serverRole ?? null,
          request_id: requestId,
        };
        const entry = {
          id: system.newId(),
          key: applyKey(environment_id),
          environmentId: environment_id,
          payload,
        };
        const lock = { environment_id, plan_id: id, actor, started_at: time };
        const taken = () => conflict("Another plan is being applied to this environment. Try again later.");
        const begun = { status: "applying", status_reason: null, applied_by: actor } as const;
        const doc = await settle(before, begun, "plan.apply_started", context, [
          rows.lock(lock, taken),
          rows.retryRest(id),
          outbox.add(applyTopic, entry),
        ]);
        outbox.wake();
        return doc;
      }),
    detach: rows.detach,
  };
}

/** Events of a plan name it, as those of its changes do. */
export const withPlan = (context: ChangeContext, { id, project }: PlanOverview): ChangeContext => ({
  ...context,
  plan: { id, commit: project.commit ?? null },
});

const busy = (actor: string, planId: string, since: string) =>
  conflict(
    `${actor} has been applying the plan ${planId} to this environment since ${since}. Try again later.`,
  );

/** The status that follows from the findings and the environment. */
function judged(
  { approved_by }: Pick<PlanOverview, "approved_by">,
  findings: readonly PlanFinding[],
  environment: Environment,
): Pick<PlanOverview, "status" | "status_reason"> {
  const denied = findings.find(({ level }) => level === "deny");
  if (denied) {
    const { policy, name, message } = denied;
    const what = policy === flowSqlRule ? `The flow ${name} cannot run` : `The policy ${policy} denies it`;
    return { status: "refused", status_reason: `${what}: ${message}` };
  }
  if (approved_by !== null) return { status: "approved", status_reason: null };
  const asking = findings.find(({ level }) => level === "approve");
  if (asking) {
    const status_reason = `The policy ${asking.policy} requires an approval by another admin: ${asking.message}`;
    return { status: "needs_approval", status_reason };
  }
  if (environment.protected) {
    const status_reason = `It changes the protected environment ${environment.name}: another admin must approve the plan.`;
    return { status: "needs_approval", status_reason };
  }
  return { status: "planned", status_reason: null };
}
