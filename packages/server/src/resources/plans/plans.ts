import type { PlanFinding, PlanOverview, PlanPolicy, PlanRequest } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { usesVariable } from "@lakehelm/policy";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, InvalidRequest, notFound } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import type { JoinedPage, Scope, Stored } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type Step, subjectOf } from "../../core/store/store.ts";
import { includesRole, roleIn } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { type ApplyPayload, applyKey, applyTopic } from "./apply-topic.ts";
import type { CheckColumns } from "./column-check.ts";
import { connectionFindings } from "./connection-check.ts";
import { filesOf, readResources, requirePolicies, withSeenCode } from "./desired.ts";
import { droppedColumnFindings } from "./dropped-columns.ts";
import type { CheckFlows } from "./flow-check.ts";
import { withConsequences } from "./impact.ts";
import { leftTableFindings } from "./left-tables.ts";
import { lostDeleteFindings } from "./lost-deletes.ts";
import { approversOf, desiredOf, judged, type PlanChecks } from "./plan-checks.ts";
import { findingsOf } from "./plan-policies.ts";
import type { PlanRows, StoredStep } from "./plan-rows.ts";
import type { PlannedKind } from "./planned-kind.ts";
import { type BuiltPlan, type createPlanner, type PlanInput, type PlannedStep, scopeOf } from "./planner.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import { storedBy } from "./stored-by.ts";

type PlanCaller = Pick<CreateRequest, "context"> & { readonly caller: Caller };

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
  approve(id: string, call: PlanCaller): Promise<PlanOverview>;
  /** Begins to carry out a plan, or resumes one that stopped. */
  apply(id: string, call: PlanCaller): Promise<PlanOverview>;
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
  readonly checks: PlanChecks;
  readonly secrets: Pick<SecretStore, "names">;
  /** What differs between the state that a plan was made for and the state now, and who changed it. */
  readonly changedSince: (
    environmentId: string,
    planned: readonly StoredStep[],
    now: readonly PlannedStep[],
  ) => Promise<string>;
  readonly checkColumns: CheckColumns;
  readonly facts: PolicyFacts;
  /** The policies of the server, which apply to every plan. */
  readonly policies: readonly PlanPolicy[];
}

const deniesFirst = (one: PlanFinding, other: PlanFinding) =>
  Number(other.level === "deny") - Number(one.level === "deny");

export const planSubject = (id: string) => subjectOf("plan", id);

export function createPlans({ store, system, settings }: Dependencies, options: PlansOptions): Plans {
  const { rows, planner, kinds, environments, outbox, checkFlows, checkColumns, checks } = options;

  async function resourcesOf(body: PlanRequest, caller: Caller) {
    if (body.source_plan === undefined || body.source_plan === null)
      return readResources(body, kinds, settings);
    const place = ["body", "source_plan"];
    if (body.resources.length > 0) {
      throw new InvalidRequest(place, "Send either source_plan or resources.", body.source_plan);
    }
    const source = await rows.read(body.source_plan);
    const from = source.doc.environment_id;
    // The secrets of the source plan would be used here: a caller who may not change its environment may not take them.
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
    return desiredOf(rows, await rows.steps(source.id));
  }

  function overviewOf(
    built: BuiltPlan,
    findings: readonly PlanFinding[],
    policies: readonly PlanPolicy[],
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
      approvals: [],
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
    return { ...doc, ...judged(doc, findings, environment, policies) };
  }

  /** The plan, and the findings of its checks. */
  async function builtWithChecks(input: PlanInput): Promise<BuiltPlan & { flows: readonly PlanFinding[] }> {
    const built = await planner.build(input);
    const open = () => environments.actIn(input.environment.id);
    const isChanged = built.steps.some(({ step }) => step.action !== "none");
    // If nothing changes, resources are checked only on a platform that can plan with expected tables.
    const isLookedAt = isChanged || (await open().catch(() => undefined))?.platform.expectsTables;
    if (!isLookedAt) return { ...built, flows: [] };
    const surroundings = await built.around();
    const around = () => surroundings;
    const columns = await checkColumns(surroundings, input.files, open);
    const flows = await checkFlows(built.steps, around, open, columns);
    const { targets } = flows;
    const unchecked = new Map([...columns.unchecked, ...flows.unchecked]);
    const scope = scopeOf(input.environment);
    const findings = [
      ...[...flows.findings, ...columns.findings].toSorted(deniesFirst),
      ...lostDeleteFindings(built, scope),
      ...(await droppedColumnFindings(built.steps, around, scope, open)),
      ...(await leftTableFindings(built, surroundings, open)),
      ...(await connectionFindings(built.steps, options.secrets, open, input.context.role)),
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

  /**
   * Checks again what may have changed since the plan was made: the environment, the policies and the time. Whether a
   * resource has changed since a plan stopped is checked step by step.
   */
  async function requireCurrent(before: Stored<PlanOverview>, context: ChangeContext): Promise<void> {
    const planned = await rows.steps(before.id);
    const input = await checks.inputOf(before.doc, planned, context);
    if (before.doc.applied_by === null) {
      const now = await planner.build({ ...input, withDetails: false });
      if (now.hash !== before.doc.hash) {
        const changed = await options.changedSince(before.doc.environment_id, planned, now.steps);
        const status_reason = `What the plan rests on has changed since it was made: ${changed}. Make a new plan.`;
        await settle(before, { status: "stale", status_reason }, "plan.stale", context);
        throw conflict(status_reason);
      }
    }
    const policies = await checks.policies(before.id);
    const findings = await checks.findings(before.doc, input);
    const { status, status_reason } = await checks.judged(before.doc, findings, input.environment, policies);
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
      const desired = await resourcesOf(body, caller);
      if ("errors" in desired) return desired;
      const { project, prune, policies } = body;
      const asked = [...options.policies, ...policies];
      const files = filesOf(body);
      const resources = withSeenCode(desired, files);
      const input = { environment, project, resources, prune, files, context, withDetails: true };
      const { flows, ...built } = await builtWithChecks(input);
      await store.requireRoom(context, await storedBy(built.steps, environment.id));
      const found = await findingsOf(asked, built.steps, { ...input, approvals: [], facts: options.facts });
      const findings = [...flows, ...found].toSorted(deniesFirst);
      const doc = overviewOf(built, findings, asked, input);
      const excess = await rows.excess(environment.id, settings.PLATFORM_PLANS_KEPT - 1);
      const { summary, status } = doc;
      const { steps, text } = await rows.insert(doc, built.steps, { policies, findings }, withUnchanged);
      await store.apply({
        context: withPlan(context, doc),
        steps: [...saveAnswer(text, undefined), ...steps, ...excess.flatMap((plan) => rows.remove(plan))],
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
    approve: (id, { context, caller }) =>
      store.retryOnConflict(async () => {
        const before = await rows.read(id);
        const { status, created_by } = before.doc;
        const given = before.doc.approvals ?? [];
        if (approversOf(before.doc).includes(context.actor)) {
          if (status !== "needs_approval") return before.doc;
          throw forbidden("You have approved this plan. It needs another admin's approval, too.");
        }
        if (status !== "needs_approval") {
          throw conflict(`The plan is ${status}: only one that needs an approval can be approved.`);
        }
        if (created_by === context.actor) {
          throw forbidden("You made this plan. Another admin must approve it.");
        }
        const { actor: by, time: at } = context;
        const doc = {
          ...before.doc,
          approved_by: by,
          approved_at: at,
          approvals: [...given, { by, at, user_id: caller.user?.id ?? null }],
        };
        const asMade = { ...context, actor: created_by };
        const input = await checks.inputOf(doc, await rows.steps(id), asMade);
        const policies = await checks.policies(id);
        const findings = policies.some(({ rule }) => usesVariable(rule, "approvals"))
          ? await checks.findings(doc, input)
          : [];
        const { status: next, status_reason } = await checks.judged(
          doc,
          findings,
          input.environment,
          policies,
        );
        const { approved_by, approved_at, approvals } = doc;
        const change = { status: next, status_reason, approved_by, approved_at, approvals };
        return settle(before, change, "plan.approved", context);
      }),
    apply: (id, { context, caller }) =>
      store.retryOnConflict(async () => {
        const before = await rows.read(id);
        const { status, environment_id, status_reason } = before.doc;
        if (status === "applied" || status === "applying") return before.doc;
        if (status !== "planned" && status !== "approved" && status !== "failed") {
          throw conflict(status_reason ?? `The plan is ${status}.`);
        }
        await environments.actIn(environment_id);
        const holder = await rows.lockOf(environment_id);
        if (holder) throw busy(holder.actor, holder.plan_id, holder.started_at);
        await requireCurrent(before, context);
        const { actor, role, serverRole, requestId, time } = context;
        const payload: ApplyPayload = {
          plan_id: id,
          actor,
          user_id: caller.user?.id ?? null,
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

/** The context in which events name the plan: its own events, and those of its changes. */
export const withPlan = (context: ChangeContext, { id, project }: PlanOverview): ChangeContext => ({
  ...context,
  plan: { id, commit: project.commit ?? null },
});

const busy = (actor: string, planId: string, since: string) =>
  conflict(
    `${actor} has been applying the plan ${planId} to this environment since ${since}. Try again later.`,
  );
