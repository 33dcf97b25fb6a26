import { mkdir } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { firstRun } from "../dev/first-run.ts";
import { finishProject, isEmpty, isUnfinished, writeProject } from "../dev/new-project.ts";
import { startDevServer } from "../dev/server.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { openProject } from "../project/project.ts";
import { UsageError } from "../usage-error.ts";

/** Makes a project from the example, and runs it once on its own server. */
export async function init(
  io: Io,
  given: string | undefined,
  { run }: { readonly run: boolean },
  _globals: GlobalOptions,
): Promise<void> {
  const cwd = io.env.LAKEHELM_CWD ?? process.cwd();
  const folder = resolve(cwd, given ?? ".");
  await mkdir(folder, { recursive: true });
  if (!(await isEmpty(folder)) && !isUnfinished(folder))
    throw new UsageError(`${given ?? "The folder"} is not empty. Name a new one: lakehelm init my-project`);
  const shown = relative(cwd, folder) || ".";
  await writeProject(io, folder, shown);
  if (run) {
    await runOnItsOwnServer(io, folder).catch((error: unknown) => {
      note(io, `The first run did not succeed. To try it again: lakehelm init ${given ?? ""}`.trimEnd());
      throw error;
    });
  }
  await finishProject(folder);
  const cd = shown === "." ? "" : `  cd ${shown}\n`;
  await write(
    io.stdout,
    `\nNext:\n${cd}  lakehelm dev        starts a server here, applies every change of the files, and prints how to log in to it\n  lakehelm validate   checks the files without a server\n  lakehelm plan       shows what a change would do, on the server that you are logged in to\n  lakehelm apply      shows the same, asks, and carries it out\n`,
  );
}

async function runOnItsOwnServer(io: Io, folder: string): Promise<void> {
  const project = await openProject(folder, { target: undefined, variables: new Map() });
  if (!("target" in project)) throw new Failure("The example cannot be read.");
  note(io, "Starting a server for the first run …");
  const server = await startDevServer(io, folder, undefined);
  try {
    await firstRun(io, server, project);
  } finally {
    await server.stop();
  }
}
