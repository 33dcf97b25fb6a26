import { applyWithCode } from "../commands/apply.ts";
import { environmentName, planWith, showPlan } from "../commands/plan.ts";
import { openSession, type Session } from "../connection/session.ts";
import { type Io, write } from "../io.ts";
import { hasChanges, summaryText } from "../plan/plan-text.ts";
import type { Project } from "../project/project.ts";
import type { DevServer } from "./server.ts";

/** The session of a server that `dev` has started. */
export async function devSession(io: Io, { url, tokenFile }: DevServer, project: Project): Promise<Session> {
  const env = { ...io.env, LAKEHELM_URL: url, LAKEHELM_TOKEN_FILE: tokenFile, LAKEHELM_TOKEN: undefined };
  const session = await openSession({ ...io, env }, { env: project.target.environment });
  const name = environmentName(project, session);
  const { environments } = await session.client.listEnvironments({ query: { name } });
  if (environments.length === 0) await session.client.createEnvironment({ body: { name } });
  return session;
}

export async function applyOnce(io: Io, session: Session, project: Project, isApplied = true): Promise<void> {
  const made = await planWith(session, project, false);
  const { plan, code } = made;
  if (!hasChanges(plan, code)) return write(io.stdout, `${summaryText(plan, code)}\n`);
  await showPlan(io, made);
  if (plan.status !== "planned") return;
  if (!isApplied) return write(io.stdout, "Not applied. To apply it, in another shell: lakehelm apply\n");
  await applyWithCode(made, true);
}
