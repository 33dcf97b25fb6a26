import type { PlanOverview } from "@lakehelm/contract";
import type { Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note } from "../io.ts";
import { type CodeChange, codeChanges } from "../plan/code-changes.ts";
import { commitOf } from "../plan/commit.ts";
import type { CodeFile } from "../project/code-files.ts";
import { libraryPaths } from "../project/code-files.ts";
import { kindOf } from "../project/kinds.ts";
import { liveResources } from "../project/live.ts";
import type { Project } from "../project/project.ts";
import { type ApplyOptions, applyPlan } from "./apply.ts";
import { environmentName, projectSession } from "./plan.ts";
import { checkedProject } from "./project-options.ts";

/** Plans what was applied to one environment for another one, with the same designs, and applies it. */
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
  const applied = await lastApplied(session, project, origin);
  const { commit, branch } = applied.project;
  const about = await commitOf(io, project.folder);
  const plan = await client.createPlan({
    body: {
      environment,
      project: { name: project.name, ...about, ...(commit && { commit }), ...(branch && { branch }) },
      source_plan: applied.id,
      policies: project.policies.map(({ name, level, rule, message }) => ({ name, level, rule, message })),
      prune: options.prune === true,
    },
    signal: io.signal,
  });
  if (plan.design_hash !== applied.design_hash)
    throw new Failure(`The plan for ${environment} has other designs than ${origin}. Nothing was changed.`);
  const code = await copiedCode(session, origin, environment);
  note(io, `From ${origin}: plan ${applied.id}, design ${applied.design_hash}`);
  await applyPlan(
    io,
    { plan, code, project, session },
    { isStored: false, autoApprove: options.autoApprove === true },
    globals,
  );
}

/** The last plan of the project that was applied there completely. */
async function lastApplied(
  { client, io }: Session,
  project: Project,
  environment: string,
): Promise<PlanOverview> {
  const query = { name: project.name, status: "applied", sort: "-created", limit: 1 } as const;
  const { plans } = await client.listPlans({ query, environment, signal: io.signal });
  if (plans[0]) return plans[0];
  throw new Failure(
    `The project ${project.name} was never applied to ${environment}. First: lakehelm apply --env ${environment}`,
  );
}

/** The code that resources use in the first environment, as far as the other one has it otherwise. */
async function copiedCode(
  { client, io: { signal } }: Session,
  from: string,
  to: string,
): Promise<CodeChange[]> {
  /** Each with the resource that uses it. */
  const paths = new Map<string, string>();
  for await (const { kind, name, definition } of liveResources(client, from, signal)) {
    const usedBy = `${kindOf(kind).folder}.${name}`;
    if (kind === "pipeline") for (const path of libraryPaths(definition)) paths.set(path, usedBy);
    const folder =
      typeof definition.source_path === "string" ? definition.source_path.replace(/\/*$/, "/") : undefined;
    if (folder === undefined || kind === "pipeline") continue;
    for await (const { path } of client.all.listFiles({
      query: { prefix: folder },
      environment: from,
      signal,
    }))
      paths.set(path, usedBy);
  }
  const files: CodeFile[] = [];
  for (const [path, usedBy] of paths) {
    const bytes = await client
      .getFile({ params: { path }, environment: from, signal })
      .catch(() => undefined);
    if (bytes) files.push({ path, bytes: Buffer.from(bytes), usedBy: [usedBy] });
  }
  return codeChanges(client, to, files, signal);
}
