import type { PlanOverview, PlanRequest } from "@lakehelm/contract";
import type { Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note } from "../io.ts";
import { codeChanges } from "../plan/code-changes.ts";
import { commitOf } from "../plan/commit.ts";
import { hasChanges } from "../plan/plan-text.ts";
import { pipelineFiles, planRequest } from "../plan/request.ts";
import type { Project } from "../project/project.ts";
import { type ApplyOptions, applyPlan, isApproved } from "./apply.ts";
import { applyCommand, environmentName, planWith, projectSession } from "./plan.ts";
import { checkedProject } from "./project-options.ts";
import { codeIn } from "./promoted-code.ts";

/**
 * Plans for one environment what was last applied to another environment, and applies the plan. If the project has the
 * same variables and overrides for both, the stored designs are used, whatever the files now contain. Otherwise the
 * files must be those that were applied: they are resolved with the values of the target.
 */
export async function promote(
  io: Io,
  from: string,
  to: string,
  options: ApplyOptions,
  globals: GlobalOptions,
): Promise<void> {
  const source = await checkedProject(io, options, { ...globals, env: from });
  const project = await checkedProject(io, options, { ...globals, env: to });
  const session = await projectSession(io, project, globals);
  const { client } = session;
  const origin = environmentName(source, session);
  const environment = environmentName(project, session);
  const applied = await lastApplied(session, source, origin);
  const own = planRequest(project, environment, {}, options.prune === true);
  const isSame =
    JSON.stringify(own.resources) === JSON.stringify(planRequest(source, origin, {}, false).resources);
  if (!isSame) await requireApplied(session, source, applied);
  const { commit, branch } = applied.project;
  const about = {
    ...(await commitOf(io, project.folder)),
    ...(commit && { commit }),
    ...(branch && { branch }),
  };
  const code = isSame ? await codeIn(session, origin) : project.code;
  const body: PlanRequest = {
    ...own,
    project: { ...own.project, ...about },
    ...(isSame && { source_plan: applied.id, resources: [], files: pipelineFiles(code) }),
  };
  const plan = await client.createPlan({ body, signal: io.signal });
  if (isSame && plan.design_hash !== applied.design_hash)
    throw new Failure(`The plan for ${environment} has other designs than ${origin}. Nothing was changed.`);
  const changes = await codeChanges(client, environment, code, io.signal);
  const values = isSame ? "" : `, with the variables and overrides of ${project.target.name}`;
  note(io, `From ${origin}: plan ${applied.id}, design ${applied.design_hash}${values}`);
  await applyPlan(
    io,
    { plan, code: changes, project, session },
    { isStored: false, autoApprove: isApproved(options) },
    globals,
  );
}

/**
 * Stored designs have the values of their own environment, so the designs for the target can only come from the same
 * files.
 */
async function requireApplied(session: Session, source: Project, applied: PlanOverview): Promise<void> {
  const { plan, code } = await planWith(session, source, false, { dryRun: true });
  // After `adopt`, the files match the live state, although no plan has applied them.
  if (plan.design_hash === applied.design_hash || !hasChanges(plan, code)) return;
  const { commit } = applied.project;
  const checkout = commit ? `Check out the commit ${commit}, or apply` : "Apply";
  throw new Failure(
    `The files are not those that were applied to ${source.target.name}, and the project has other variables or overrides for the target. ${checkout} them to ${source.target.name} first: ${applyCommand(source)}`,
  );
}

/** The last plan of the project that was completely applied to the environment. */
async function lastApplied(
  { client, io }: Session,
  project: Project,
  environment: string,
): Promise<PlanOverview> {
  const query = { name: project.name, status: "applied", sort: "-created", limit: 1 } as const;
  const { plans } = await client.listPlans({ query, environment, signal: io.signal });
  if (plans[0]) return plans[0];
  throw new Failure(
    `The project ${project.name} was never applied to ${environment}. First: ${applyCommand(project)}`,
  );
}
