import { type FSWatcher, watch } from "node:fs";
import type { Session } from "../connection/session.ts";
import { openSession } from "../connection/session.ts";
import { runText } from "../dev/first-runs.ts";
import { type DevServer, startDevServer } from "../dev/server.ts";
import { reportError } from "../errors.ts";
import type { GlobalOptions } from "../globals.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, note, write } from "../io.ts";
import { hasChanges, summaryText } from "../plan/plan-text.ts";
import type { Project } from "../project/project.ts";
import { applyWithCode } from "./apply.ts";
import { environmentName, planWith, showPlan } from "./plan.ts";
import { checkedProject, type ProjectCommandOptions, projectFolder } from "./project-options.ts";

interface DevOptions extends ProjectCommandOptions {
  readonly port?: string;
  /** False: plans are shown, but not applied. */
  readonly apply: boolean;
}

/** Starts a server for the project, applies the project, and applies it again when its files change, until Ctrl-C. */
export async function dev(io: Io, options: DevOptions, globals: GlobalOptions): Promise<void> {
  const folder = projectFolder(io, options);
  const port = integerOf("--port", options.port);
  // Reports problems of the files before the server starts.
  await checkedProject(io, options, globals);
  note(io, "Starting a server …");
  const server = await startDevServer(io, folder, port);
  try {
    await write(
      io.stdout,
      `${server.url} is ready. The console: ${server.url}/console/ (sign in with the token in ${server.tokenFile}). To use it from another shell:\n`,
    );
    await write(io.stdout, `  lakehelm login --url ${server.url} --token-file ${server.tokenFile}\n`);
    const applying = applyHere(io, server, options, globals);
    const watcher = watchFolder(folder, applying);
    try {
      await Promise.race([showRuns(io, server), server.ended]);
    } finally {
      watcher.close();
    }
  } finally {
    await server.stop();
  }
}

/** A session with a server that `dev` has started. */
export async function devSession(io: Io, { url, tokenFile }: DevServer, project: Project): Promise<Session> {
  const env = { ...io.env, LAKEHELM_URL: url, LAKEHELM_TOKEN_FILE: tokenFile, LAKEHELM_TOKEN: undefined };
  const session = await openSession({ ...io, env }, { env: project.target.environment });
  const name = environmentName(project, session);
  const { environments } = await session.client.listEnvironments({ query: { name } });
  if (environments.length === 0) await session.client.createEnvironment({ body: { name } });
  return session;
}

/** Applies the current files. Problems are shown, and the server keeps its present state. */
function applyHere(
  io: Io,
  server: DevServer,
  options: DevOptions,
  globals: GlobalOptions,
): () => Promise<void> {
  return async () => {
    try {
      const project = await checkedProject(io, options, globals);
      await applyOnce(io, await devSession(io, server, project), project, options.apply);
    } catch (error) {
      if (io.signal.aborted) return;
      reportError(io, error);
    }
  };
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

/**
 * Calls `changed` at once, and after changes as soon as the folder has been quiet for a moment. Calls never overlap. It
 * watches from the beginning, so that no change is missed.
 */
function watchFolder(folder: string, changed: () => Promise<void>): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  let busy = changed();
  return watch(folder, { recursive: true }, (_event, file) => {
    const path = String(file ?? "").replaceAll("\\", "/");
    if (path.split("/").some((part) => part.startsWith(".") || part === "node_modules" || part === "data"))
      return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      busy = busy.then(changed);
    }, 200);
  });
}

/** Shows runs as they end, until Ctrl-C. */
async function showRuns(io: Io, { client }: DevServer): Promise<void> {
  const { signal } = io;
  const { events } = await client.readEvents({ query: { sort: "-created", limit: 1 }, signal });
  const after = events[0]?.sequence ?? 0;
  for await (const { kind, subject } of client.followEvents({ kind: "run.*", after, signal })) {
    if (!/^run\.(?:succeeded|failed|cancelled|timed_out)$/.test(kind)) continue;
    const run = await client.getRun({ params: { run_id: subject.slice("run/".length) }, signal });
    await write(io.stdout, `${runText(run.name ?? run.job_id, run)}\n`);
  }
}
