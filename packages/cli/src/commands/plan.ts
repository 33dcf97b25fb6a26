import type { Plan } from "@lakehelm/contract";
import { openSession, type Session } from "../connection/session.ts";
import { exitCodes } from "../exit-codes.ts";
import { Exit } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, note, tell, write } from "../io.ts";
import { isColored, printValue } from "../output/print.ts";
import { type CodeChange, codeChanges } from "../plan/code-changes.ts";
import { commitOf } from "../plan/commit.ts";
import { isDeniedByPolicy, withPlaces } from "../plan/flow-findings.ts";
import { hasChanges, planText } from "../plan/plan-text.ts";
import { planRequest } from "../plan/request.ts";
import type { Project } from "../project/project.ts";
import { shellWord } from "../repeated-options.ts";
import { checkedProject, type ProjectCommandOptions, problemText } from "./project-options.ts";

export interface PlanOptions extends ProjectCommandOptions {
  readonly prune?: true;
  readonly markdown?: true;
  readonly detailedExitcode?: true;
}

/** A plan of a project, and the code that differs in the workspace. */
export interface MadePlan {
  readonly plan: Plan;
  readonly code: readonly CodeChange[];
  readonly project: Project;
  readonly session: Session;
}

/** The session of the environment that a project is applied to. */
export const projectSession = (io: Io, { target }: Project, globals: GlobalOptions): Promise<Session> =>
  openSession(io, { ...globals, env: target.environment });

/** The name of the environment on the server; if the project names none, the environment of the profile. */
export const environmentName = ({ target }: Project, { connection }: Session): string =>
  target.environment ?? connection.environment ?? "local";

export async function makePlan(io: Io, options: PlanOptions, globals: GlobalOptions): Promise<MadePlan> {
  const project = await checkedProject(io, options, globals);
  for (const problem of project.problems) note(io, problemText(problem));
  const session = await projectSession(io, project, globals);
  return planWith(session, project, options.prune === true);
}

/** A plan for display only: the server does not store it. */
export async function comparedWith(io: Io, options: PlanOptions, globals: GlobalOptions): Promise<MadePlan> {
  const project = await checkedProject(io, options, globals);
  const session = await projectSession(io, project, globals);
  return planWith(session, project, options.prune === true, { dryRun: true });
}

export async function planWith(
  session: Session,
  project: Project,
  prune: boolean,
  { dryRun = false } = {},
): Promise<MadePlan> {
  const { client, io } = session;
  const environment = environmentName(project, session);
  const body = planRequest(project, environment, await commitOf(io, project.folder), prune);
  const plan = await client.createPlan({ body, ...(dryRun && { dryRun }), signal: io.signal });
  const code = await codeChanges(client, environment, project.code, io.signal);
  return { plan: withPlaces(plan, project), code, project, session };
}

export async function plan(io: Io, options: PlanOptions, globals: GlobalOptions): Promise<void> {
  const output = outputOf(globals);
  const made = await makePlan(io, options, globals);
  const { plan: found, code, project } = made;
  if (options.markdown) {
    const { planMarkdown } = await import("../plan/plan-markdown.ts");
    await write(io.stdout, planMarkdown(found, code));
  } else if (output.output === "table" && output.query === undefined) {
    await showPlan(io, made);
    if (hasChanges(found, code)) {
      if (found.status === "planned") note(io, `To apply it: ${applyCommand(project, found.id)}`);
      if (found.status === "needs_approval") note(io, approvalHint(project, found.id));
    }
  } else {
    await printValue(io, { ...found, files: code.map(({ path, action }) => ({ path, action })) }, output);
  }
  if (found.status === "refused") throw new Exit(refusedCode(found));
  if (options.detailedExitcode && hasChanges(found, code)) throw new Exit(exitCodes.changes);
}

/** A flow that cannot run is an error in the files, not a refusal by a policy. */
export const refusedCode = (plan: Plan): number =>
  isDeniedByPolicy(plan) ? exitCodes.refused : exitCodes.failed;

const ofEnvironment = ({ target }: Project): string =>
  target.isDefault ? "" : ` --env ${shellWord(target.name)}`;

export const planCommand = (project: Project): string => `lakehelm plan${ofEnvironment(project)}`;

export const applyCommand = (project: Project, id?: string): string =>
  `lakehelm apply${ofEnvironment(project)}${id === undefined ? "" : ` ${id}`}`;

export const approvalHint = (project: Project, id: string): string =>
  `Another admin must approve the plan: lakehelm plans approve ${id}\nThen: ${applyCommand(project, id)}`;

export const showPlan = (io: Io, { plan: found, code }: Pick<MadePlan, "plan" | "code">): Promise<void> =>
  tell(io, planText(found, code, isColored(io)));
