import { type FSWatcher, watch } from "node:fs";
import { resolve } from "node:path";
import { applyOnce, devSession } from "../dev/apply-once.ts";
import { firstRun } from "../dev/first-run.ts";
import { runText } from "../dev/first-runs.ts";
import { finishProject, isEmpty, writeProject } from "../dev/new-project.ts";
import { type DevServer, startDevServer } from "../dev/server.ts";
import { reportError } from "../errors.ts";
import type { GlobalOptions } from "../globals.ts";
import { integerOf } from "../input/integer.ts";
import { type Io, note, write } from "../io.ts";
import { findProject } from "../project/read/folder.ts";
import { checkedProject, type ProjectCommandOptions, projectFolder } from "./project-options.ts";

interface DevOptions extends ProjectCommandOptions {
  readonly port?: string;
  /** False: plans are shown, but not applied. */
  readonly apply: boolean;
}

/** Starts a server for the project, applies the project, and applies it again when its files change, until Ctrl-C. */
export async function dev(io: Io, options: DevOptions, globals: GlobalOptions): Promise<void> {
  const port = integerOf("--port", options.port);
  const isNew = await makeProjectIfEmpty(io, options);
  const folder = projectFolder(io, options);
  // Wrong files are said before anything starts.
  const project = await checkedProject(io, options, globals);
  note(io, "Starting a server …");
  const server = await startDevServer(io, folder, port);
  try {
    await greet(io, server, port);
    if (options.apply && isNew) {
      await firstRun(io, server, project).catch((error: unknown) => {
        if (io.signal.aborted) throw error;
        reportError(io, error);
      });
      await finishProject(folder);
    }
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

/** A first user starts in an empty folder. Returns whether this call made the project. */
async function makeProjectIfEmpty(io: Io, { dir }: DevOptions): Promise<boolean> {
  const folder = resolve(io.env.LAKEHELM_CWD ?? process.cwd(), dir ?? ".");
  const hasProject = dir === undefined && findProject(folder) !== undefined;
  if (hasProject || !(await isEmpty(folder))) return false;
  note(
    io,
    'There is no project, and the folder is empty: making one from the example, as "lakehelm init" does.',
  );
  await writeProject(io, folder, dir ?? ".");
  return true;
}

async function greet(io: Io, { url, consoleLink, tokenFile }: DevServer, port = 0): Promise<void> {
  if (port !== 0 && !url.endsWith(`:${port}`))
    note(io, `Port ${port} is in use, so the server has the next free one.`);
  const console =
    consoleLink === undefined
      ? `The console: ${url}/console/ (sign in with the token in ${tokenFile}).`
      : `The console (this link signs you in once, within 15 minutes):\n  ${consoleLink}`;
  await write(
    io.stdout,
    `${url} is ready. ${console}\nTo use it from another shell:\n  lakehelm login --url ${url} --token-file ${tokenFile}\n`,
  );
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
