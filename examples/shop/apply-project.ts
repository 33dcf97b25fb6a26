import { applyWithCode } from "../../packages/cli/src/commands/apply.ts";
import { planWith } from "../../packages/cli/src/commands/plan.ts";
import { openSession } from "../../packages/cli/src/connection/session.ts";
import { hasChanges, summaryText } from "../../packages/cli/src/plan/plan-text.ts";
import type { Project } from "../../packages/cli/src/project/project.ts";
import type { DemoServer } from "./server.ts";

/** The result of applying the project. */
export interface AppliedProject {
  /** `8 to create, 9 files to upload in local, 0 unchanged.` */
  readonly summary: string;
  readonly isNew: boolean;
}

/** Plans this project and applies it, as `lakehelm apply --auto-approve` does. */
export async function applyProject(
  { url, token, environment }: DemoServer,
  project: Project,
): Promise<AppliedProject> {
  const { stdin, stdout, stderr } = process;
  const env = { LAKEHELM_URL: url, LAKEHELM_TOKEN: token };
  const io = { env, stdin, stdout, stderr, signal: new AbortController().signal };
  const session = await openSession(io, { env: environment });
  const made = await planWith(session, { ...project, target: { ...project.target, environment } }, false);
  const { plan, code } = made;
  const summary = summaryText(plan, code);
  if (!hasChanges(plan, code)) return { summary, isNew: false };
  const { status, status_reason } = await applyWithCode(made, false);
  if (status !== "applied") throw new Error(`The plan is ${status}. ${status_reason ?? ""}`);
  return { summary, isNew: plan.summary.create > 0 };
}
