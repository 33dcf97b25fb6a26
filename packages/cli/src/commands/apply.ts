import { setTimeout as sleep } from "node:timers/promises";
import type { Plan, PlanStep } from "@lakehelm/contract";
import { ApiError } from "@lakehelm/contract/client";
import { counted, shown } from "@lakehelm/contract/text";
import { openSession, type Session } from "../connection/session.ts";
import { exitCodes } from "../exit-codes.ts";
import { Exit, Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { confirm } from "../input/prompt.ts";
import { type Io, note } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { printValue } from "../output/print.ts";
import { createStatusLine } from "../output/status-line.ts";
import { type CodeChange, codeChanges, uploadCode } from "../plan/code-changes.ts";
import { isDeniedByPolicy, withPlaces } from "../plan/flow-findings.ts";
import { hasChanges } from "../plan/plan-text.ts";
import type { Project } from "../project/project.ts";
import { UsageError } from "../usage-error.ts";
import {
  applyCommand,
  approvalHint,
  type MadePlan,
  makePlan,
  type PlanOptions,
  planCommand,
  planWith,
  refusedCode,
  showPlan,
} from "./plan.ts";
import { checkedProject } from "./project-options.ts";
import { promotedCode } from "./promoted-code.ts";

export interface ApplyOptions extends PlanOptions {
  /** `--yes`, or its longer form `--auto-approve`. */
  readonly yes?: true;
  readonly autoApprove?: true;
}

export const isApproved = ({ yes, autoApprove }: ApplyOptions): boolean =>
  yes === true || autoApprove === true;

/** Applies a stored plan, or makes a plan, asks for confirmation and applies it. */
export async function apply(
  io: Io,
  id: string | undefined,
  options: ApplyOptions,
  globals: GlobalOptions,
): Promise<void> {
  const made =
    id === undefined ? await makePlan(io, options, globals) : await storedPlan(io, id, options, globals);
  await applyPlan(io, made, { isStored: id !== undefined, autoApprove: isApproved(options) }, globals);
}

/** Shows a plan, asks for confirmation, and applies it. */
export async function applyPlan(
  io: Io,
  made: MadePlan,
  { isStored, autoApprove }: { readonly isStored: boolean; readonly autoApprove: boolean },
  globals: GlobalOptions,
): Promise<void> {
  const { plan, code } = made;
  const output = outputOf(globals);
  const isForPeople = output.output === "table" && output.query === undefined;
  if (isForPeople && plan.status !== "applied") await showPlan(io, made);
  const isEmpty = !hasChanges(plan, code);
  // A plan without changes needs no approval.
  if (!isEmpty || plan.status !== "needs_approval") refuse(io, made);
  if (isEmpty) {
    if (!isForPeople) await printValue(io, plan, output);
    return;
  }
  if (!autoApprove && !isStored) await ask(io);
  const done = await applyWithCode(made, isForPeople);
  if (!isForPeople) await printValue(io, done, output);
  finish(done, made.project);
}

/** A stored plan, which must match the current files, because its code is uploaded from here. */
async function storedPlan(
  io: Io,
  id: string,
  options: ApplyOptions,
  globals: GlobalOptions,
): Promise<MadePlan> {
  const session = await openSession(io, globals);
  const { client } = session;
  const plan = await client.getPlan({ params: { plan_id: id }, signal: io.signal });
  const { environment, environment_id, project_name } = plan;
  // A plan belongs to one environment, which need not be the default.
  const project = await checkedProject(io, options, globals, { onServer: [environment, environment_id] });
  const given = globals.env;
  if (given !== undefined && ![project.target.name, environment, environment_id].includes(given))
    throw new UsageError(
      `The plan is for the environment ${shown(environment)}, not ${shown(given)}. To apply it: ${applyCommand(project, id)}`,
    );
  if (project_name !== project.name)
    throw new UsageError(
      `The plan is of the project ${shown(project_name)}, and this folder is ${shown(project.name)}. Run the command in its folder, or name it with --dir.`,
    );
  const made = { plan: withPlaces(plan, project), project, session };
  const code = await codeChanges(client, environment, project.code, io.signal);
  const isOpen = plan.status === "planned" || plan.status === "approved";
  if (code.length === 0 || !isOpen) return { ...made, code };
  const now = await planWith(session, project, plan.prune, { dryRun: true });
  if (now.plan.design_hash === plan.design_hash) return { ...made, code };
  const promoted = await promotedCode(session, plan);
  if (promoted) return { ...made, code: promoted };
  throw new Failure(
    `The files have changed since the plan was made. Make a new one: ${planCommand(project)}`,
  );
}

/** Throws an error for a plan that cannot be applied now. */
function refuse(io: Io, { plan, project }: Pick<MadePlan, "plan" | "project">): void {
  const { id, status, status_reason } = plan;
  if (status === "refused") {
    const why = isDeniedByPolicy(plan) ? "A policy refuses the plan." : "A flow of the plan cannot run.";
    note(io, `${why} Nothing was changed.`);
    throw new Exit(refusedCode(plan));
  }
  if (status === "needs_approval") {
    note(io, approvalHint(project, id));
    throw new Exit(exitCodes.refused);
  }
  if (status === "stale")
    throw new Failure(`The plan is out of date. ${status_reason ?? ""} To make it: ${planCommand(project)}`);
}

async function ask(io: Io): Promise<void> {
  if (!io.stdin.isTTY || io.env.CI)
    throw new UsageError("Nobody can confirm here. Apply the plan by its id, or use --yes.");
  if (!(await confirm(io, "Apply these changes?"))) throw new Failure("Nothing was changed.");
}

/**
 * Carries out a plan with its code. The code of pipelines is uploaded first, because the plan's pipelines are checked
 * with it. The code of agents and apps is uploaded last: a folder with files that other users may have written cannot
 * be registered as code.
 */
export async function applyWithCode(
  { plan, code, session }: Pick<MadePlan, "plan" | "code" | "session">,
  isForPeople: boolean,
): Promise<Plan> {
  const { client, io } = session;
  const isRegistered = ({ file }: CodeChange) => file.usedBy.every((user) => /^(?:agents|apps)\./.test(user));
  const upload = (some: readonly CodeChange[]) => uploadCode(client, plan, some, io.signal);
  await upload(code.filter((one) => !isRegistered(one)));
  const done = await carryOut(session, plan, isForPeople);
  if (done.status === "applied") await upload(code.filter(isRegistered));
  return done;
}

/** Without an event, the plan is read again after this time, because the caller may not be allowed to read events. */
const pauseMs = 2000;

/** Applies a plan and prints each step as it is done. */
async function carryOut({ client, io }: Session, { id }: Plan, isForPeople: boolean): Promise<Plan> {
  const { signal } = io;
  const params = { plan_id: id };
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const line = createStatusLine(io, isForPeople);
  const printed = new Set<number>();
  let wake = () => {};
  const show = async (step: ShownStep) => {
    if (printed.has(step.position)) return;
    printed.add(step.position);
    if (isForPeople) await line.print(stepText(step));
  };
  /** The event says which step was done, so a plan with thousands of steps is not read again for each of them. */
  const follow = async (after: number) => {
    for await (const { kind, data } of client.followEvents({ subject: `plan/${id}`, after, signal: both })) {
      if (kind !== "plan.step_applied") wake();
      else {
        await show({ ...(data as unknown as ShownStep), status: "done", error: null });
        line.show(`${String(data.done)} of ${counted(Number(data.total), "change")} done`);
      }
    }
  };
  try {
    const { events } = await client
      .readEvents({ query: { sort: "-created", limit: 1 }, signal })
      .catch(() => ({ events: undefined }));
    await client.applyPlan({ params, signal });
    const following = events && follow(events[0]?.sequence ?? 0).catch(() => {});
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const plan = await client.getPlan({ params, signal }).catch((error) => {
        if (!(error instanceof ApiError) || error.kind !== "network") throw error;
        throw new Failure(
          `The server stopped answering while it applied the plan. After its restart it goes on by itself. To see how far it is: lakehelm plans get ${id}`,
        );
      });
      if (plan.status !== "applying" && plan.status !== "planned" && plan.status !== "approved") {
        ended.abort();
        await following;
        for (const step of plan.steps)
          if (step.status === "done" || step.status === "failed") await show(step);
        return plan;
      }
      await Promise.race([woken, sleep(pauseMs, undefined, { signal: both })]);
    }
  } finally {
    ended.abort();
    line.clear();
  }
}

type ShownStep = Pick<PlanStep, "position" | "action" | "kind" | "name" | "status" | "error">;

const words = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  none: "unchanged",
} as const;

const stepText = ({ status, action, kind, name, error }: ShownStep) =>
  oneLine(
    status === "done"
      ? `${kind} ${name} ${words[action]}`
      : `${kind} ${name} failed: ${error ?? "no reason was given"}`,
  );

function finish({ id, status, status_reason, steps }: Plan, project: Project): void {
  if (status === "applied") return;
  const open = steps.filter((step) => step.action !== "none" && step.status !== "done");
  const done = steps.filter((step) => step.action !== "none" && step.status === "done");
  const list = open.slice(0, 10).map(({ kind, name }) => `${kind} ${name}`);
  throw new Failure(
    `The plan stopped (${status}). ${status_reason ?? ""}\nDone: ${done.length}. Not done: ${open.length}: ${list.join(", ")}.\nTo resume: ${applyCommand(project, id)}`,
  );
}
