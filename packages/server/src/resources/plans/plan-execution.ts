import type { PlanOverview, PlanStep } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, InvalidRequest, Problem } from "../../core/errors.ts";
import { completed, handlerOf, type OutboxHandlers } from "../../core/outbox/topic.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { includesRole, roleIn } from "../../web/http/call.ts";
import type { ServerRole } from "../../web/http/handler.ts";
import type { CallerNow } from "../../web/identity/authenticate.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import type { AppliedRows } from "./applied-rows.ts";
import { type ApplyPayload, applyTopic } from "./apply-topic.ts";
import type { PlanChecks } from "./plan-checks.ts";
import type { PlanRows, StoredDesign, StoredStep } from "./plan-rows.ts";
import type { LiveResource, PlanCall, PlannedKind } from "./planned-kind.ts";
import { planSubject, withPlan } from "./plans.ts";

interface ExecutionOptions {
  readonly rows: PlanRows;
  readonly applied: AppliedRows;
  readonly kinds: readonly PlannedKind[];
  readonly environments: Environments;
  readonly digest: (value: unknown) => string;
  readonly holdsDataFolder: () => boolean;
  readonly checks: Pick<PlanChecks, "watch">;
  readonly callerNow: CallerNow;
  readonly whileFilesAre: Files["whileFilesAre"];
}

/** Unchanged resources that are recorded as applied in one change. */
const recordedAtOnce = 500;
/** After this many errors that the plan does not cause, such as a lost database, the plan stops. */
const maxAttempts = 5;

/**
 * Carries out plans. Each step is marked before it begins and when it is done, so that after a crash the next attempt
 * resumes at the interrupted step. If that step's change is already made, the step counts as done.
 */
export function createPlanExecution(
  { store, system }: Dependencies,
  options: ExecutionOptions,
): OutboxHandlers {
  const { rows, applied, kinds, environments, digest, holdsDataFolder, checks, callerNow, whileFilesAre } =
    options;

  /** The context with the current role of the user who applies the plan; throws 403 if the role no longer suffices. */
  async function allowedContext(payload: ApplyPayload, plan: PlanOverview): Promise<ChangeContext> {
    const { actor, user_id: id } = payload;
    const before = contextOf(payload, plan);
    const { doc: environment } = await environments.read(plan.environment_id);
    const caller = typeof id === "string" ? await callerNow({ id, name: actor }) : undefined;
    if (typeof id === "string" && !caller) {
      throw forbidden(
        `${actor}, who applies the plan, is no longer a user here. Another user can go on with it.`,
      );
    }
    const role = caller ? roleIn(caller, environment.id) : (before.role as ServerRole | undefined);
    const needed = environment.protected ? "admin" : "operator";
    if (role !== undefined && !includesRole(role, needed)) {
      throw forbidden(
        `${actor}, who applies the plan, no longer has the role ${needed} in the environment "${environment.name}". Somebody who has it can go on with the plan.`,
      );
    }
    const now = caller && role !== undefined ? { role, serverRole: caller.role } : {};
    return { ...before, ...now, freeBytes: -1 };
  }

  /** The context for the plan's own records: a full quota stops the steps of a plan, but not its records. */
  const contextOf = (payload: ApplyPayload, plan: PlanOverview): ChangeContext =>
    withPlan(
      {
        freeBytes: Number.POSITIVE_INFINITY,
        actor: payload.actor,
        ...(payload.role !== null && { role: payload.role }),
        ...(payload.server_role !== null && { serverRole: payload.server_role }),
        requestId: payload.request_id,
        time: system.now().toISOString(),
      },
      plan,
    );

  async function carryOut(
    stored: StoredStep,
    design: StoredDesign | undefined,
    env: EnvironmentContext,
    call: PlanCall,
  ): Promise<void> {
    const { kind: name, name: resource, action, status } = stored.step;
    const kind = kinds.find((one) => one.kind === name) as PlannedKind;
    const find = () => kind.find(env.environment.id, resource);
    const live = await find();
    const now = live ? digest(live.declared.open) : "";
    if (now === stored.leadsTo && !live?.problem) return;
    if (now !== stored.restsOn && now !== stored.leadsTo && status !== "applying") {
      throw conflict(`The ${name} "${resource}" has changed since the plan was made. Make a new plan.`);
    }
    const carry = () => change(kind, action, live, design, env, call);
    // No caller can write the files of a pipeline between this check and the change that makes them its code. Files of
    // agents and apps are written after their folder was registered as code.
    const files = kind.hasCode || action === "delete" ? undefined : design?.codeFiles;
    await (files ? whileFilesAre(env.environment.id, files, carry) : carry());
    const after = action === "delete" ? undefined : await find();
    if (after?.problem) throw conflict(after.problem);
  }

  async function change(
    kind: PlannedKind,
    action: PlanStep["action"],
    live: LiveResource | undefined,
    design: StoredDesign | undefined,
    env: EnvironmentContext,
    call: PlanCall,
  ): Promise<void> {
    if (action === "delete" || !design) {
      if (live) await kind.remove(live, env, call);
      return;
    }
    const isOther =
      action === "replace" &&
      live &&
      kind.fixed.some((key) => !isSame(live.declared.open[key], design.open[key]));
    if (isOther) await kind.remove(live, env, call);
    if (live && !isOther) return kind.update(live, design.open, env, call);
    await kind.create({ ...design.open, ...design.initial }, env, call);
  }

  const isSame = (one: unknown, other: unknown) => digest(one) === digest(other);

  /**
   * Whether the definition of a failed step is live, because the platform refused it only afterwards. Without a record,
   * the definition would belong to no project, and the next plan would take it for a change by another user.
   */
  async function isThere({ step, leadsTo }: StoredStep, { environment_id }: PlanOverview): Promise<boolean> {
    const kind = kinds.find((one) => one.kind === step.kind) as PlannedKind;
    const live = step.action === "delete" ? undefined : await kind.find(environment_id, step.name);
    return live !== undefined && digest(live.declared.open) === leadsTo;
  }

  /** The records of a step whose definition is live, or whose resource is gone. */
  function appliedStep(
    { step, leadsTo }: StoredStep,
    design: StoredDesign | undefined,
    plan: PlanOverview,
    context: ChangeContext,
  ): Step[] {
    const { environment_id, project } = plan;
    const { kind, name, design_hash } = step;
    if (!design) return applied.remove(environment_id, kind, name);
    const row = {
      environment_id,
      kind,
      name,
      project: project.name,
      plan_id: plan.id,
      commit_id: project.commit ?? null,
      design_hash: design_hash ?? "",
      digest: leadsTo,
      applied_at: context.time,
      applied_by: context.actor,
    };
    const { open, masked } = design;
    return applied.put(row, { open, masked });
  }

  /** Resources that were already as desired belong to the project from now on. */
  async function recordUnchanged(plan: PlanOverview, steps: readonly StoredStep[], context: ChangeContext) {
    const before = await applied.inEnvironment(plan.environment_id);
    const due = steps.filter(({ step, leadsTo }) => {
      const last = before.get(`${step.kind}/${step.name}`);
      return step.action === "none" && (last?.digest !== leadsTo || last.project !== plan.project.name);
    });
    for (let at = 0; at < due.length; at += recordedAtOnce) {
      const page = due.slice(at, at + recordedAtOnce);
      const records = page.flatMap((stored) => appliedStep(stored, rows.design(stored), plan, context));
      await store.apply({ context, steps: records, events: [] });
    }
  }

  async function end(
    before: Stored<PlanOverview>,
    change: Pick<PlanOverview, "status" | "status_reason"> & Partial<PlanOverview>,
    context: ChangeContext,
    steps: readonly Step[] = [],
  ): Promise<void> {
    const doc = { ...before.doc, ...change, updated_at: context.time };
    const { environment_id, project_name, status_reason, summary } = doc;
    await store.apply({
      context,
      steps: [...rows.rows.update(before, { doc }), ...steps, rows.unlock(environment_id)],
      events: [
        {
          kind: `plan.${doc.status}`,
          subject: planSubject(doc.id),
          data: { environment_id, project: project_name, reason: status_reason, summary },
        },
      ],
    });
  }

  async function perform(payload: ApplyPayload, signal: AbortSignal): Promise<void> {
    let plan = await rows.rows.get(payload.plan_id);
    if (plan?.doc.status !== "applying") return;
    const { doc } = plan;
    const steps = await rows.steps(doc.id);
    const changes = steps.filter(({ step }) => step.action !== "none");
    const project = { commit: doc.project.commit ?? null, branch: doc.project.branch ?? null };
    const left = changes.filter(({ step }) => step.status !== "done");
    const requireAllowed = checks.watch(doc);
    for (const [at, stored] of left.entries()) {
      const { position, status, action, kind, name } = stored.step;
      signal.throwIfAborted();
      const design = rows.design(stored);
      const about = { environment_id: doc.environment_id, position, action, kind, name };
      // The change that ends a step also begins the next one.
      if (at === 0 && status !== "applying") {
        await store.apply({
          context: contextOf(payload, doc),
          steps: [rows.setStatus(doc.id, position, "applying", null)],
          events: [],
        });
      }
      try {
        const env = await environments.actIn(doc.environment_id);
        const context = await allowedContext(payload, doc);
        await requireAllowed(stored.step, context);
        await carryOut(stored, design, env, { context, project });
      } catch (error) {
        if (!isFinal(error)) throw error;
        // PostgreSQL stores no NUL, and half a surrogate pair cannot be encoded.
        const message = error.message.slice(0, maxMessage).replaceAll("\0", "\ufffd").toWellFormed();
        const reason = `Step ${position} failed: ${action} ${kind} ${name}: ${message}`;
        const current = await rows.read(doc.id);
        const time = contextOf(payload, doc);
        await end(current, { status: "failed", status_reason: reason }, time, [
          rows.setStatus(doc.id, position, "failed", message),
          rows.skipRest(doc.id),
          ...((await isThere(stored, doc)) ? appliedStep(stored, design, doc, time) : []),
        ]);
        return;
      }
      const time = contextOf(payload, doc);
      const summary = { ...plan.doc.summary, done: plan.doc.summary.done + 1 };
      const following = left[at + 1]?.step.position;
      const next: PlanOverview = { ...plan.doc, summary, updated_at: time.time };
      await store.apply({
        context: time,
        steps: [
          rows.setStatus(doc.id, position, "done", null),
          ...(following === undefined ? [] : [rows.setStatus(doc.id, following, "applying", null)]),
          ...appliedStep(stored, design, doc, time),
          ...rows.rows.update(plan, { doc: next }),
        ],
        events: [
          {
            kind: "plan.step_applied",
            subject: planSubject(doc.id),
            data: { ...about, done: summary.done, total: changes.length },
          },
        ],
      });
      plan = { ...plan, doc: next, version: plan.version + 1 };
    }
    const context = contextOf(payload, doc);
    await recordUnchanged(doc, steps, context);
    await end(plan, { status: "applied", status_reason: null, applied_at: context.time }, context);
  }

  /** The environment must not stay locked because of an error that does not go away. The log has the error. */
  async function giveUp(payload: ApplyPayload): Promise<void> {
    const plan = await rows.read(payload.plan_id);
    const status_reason = "The server failed repeatedly while it applied the plan. Its log says why.";
    const context = contextOf(payload, plan.doc);
    await end(plan, { status: "failed", status_reason }, context, [
      rows.interrupt(plan.id, status_reason),
      rows.skipRest(plan.id),
    ]);
  }

  return handlerOf(applyTopic, {
    maxAttempts,
    // Files, processes and tables are where the data folder is.
    readiness: () => (holdsDataFolder() ? "here" : "elsewhere"),
    async perform({ payload, attempts }, signal) {
      try {
        await perform(payload, signal);
      } catch (error) {
        if (attempts + 1 < maxAttempts || signal.aborted) throw error;
        await giveUp(payload);
      }
      return completed(undefined);
    },
  });
}

const maxMessage = 2000;

/** An error of the plan itself, which a retry does not repair. Other errors are retried. */
const isFinal = (error: unknown): error is Problem | InvalidRequest =>
  error instanceof InvalidRequest || (error instanceof Problem && error.kind !== "unavailable");
