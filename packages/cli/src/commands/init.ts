import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runOnce } from "../dev/first-runs.ts";
import { startDevServer } from "../dev/server.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { printRows } from "../output/print.ts";
import { openProject } from "../project/project.ts";
import { UsageError } from "../usage-error.ts";
import { applyOnce, devSession } from "./dev.ts";
import { environmentName } from "./plan.ts";
import { writeSchemas } from "./schema.ts";

const example = fileURLToPath(new URL("../../example", import.meta.url));

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
  // This file exists while a call is unfinished; the next call then continues it.
  const unfinished = join(folder, ".lakehelm/data/init-unfinished");
  const there = (await readdir(folder)).filter((one) => !one.startsWith("."));
  if (there.length > 0 && !existsSync(unfinished))
    throw new UsageError(`${given ?? "The folder"} is not empty. Name a new one: lakehelm init my-project`);
  await mkdir(dirname(unfinished), { recursive: true });
  await writeFile(unfinished, "");
  // Existing files are kept, because the user may have changed them.
  await cp(example, folder, { recursive: true, force: false });
  const ignored = join(folder, ".gitignore");
  if (existsSync(ignored)) await rm(join(folder, "gitignore"), { force: true });
  else await rename(join(folder, "gitignore"), ignored);
  await writeSchemas(join(folder, ".lakehelm/schemas"));
  const shown = relative(cwd, folder) || ".";
  await write(io.stdout, `A project is in ${shown}: a connector, a flow, a policy, and data/orders.csv.\n`);
  if (run) {
    await firstRun(io, folder).catch((error: unknown) => {
      note(io, `The first run did not succeed. To try it again: lakehelm init ${given ?? ""}`.trimEnd());
      throw error;
    });
  }
  await rm(unfinished);
  const cd = shown === "." ? "" : `  cd ${shown}\n`;
  await write(
    io.stdout,
    `\nNext:\n${cd}  lakehelm dev        starts a server here, applies every change of the files, and prints how to log in to it\n  lakehelm validate   checks the files without a server\n  lakehelm plan       shows what a change would do, on the server that you are logged in to\n  lakehelm apply      shows the same, asks, and carries it out\n`,
  );
}

async function firstRun(io: Io, folder: string): Promise<void> {
  const project = await openProject(folder, { target: undefined, variables: new Map() });
  if (!("target" in project)) throw new Failure("The example cannot be read.");
  note(io, "Starting a server for the first run …");
  const server = await startDevServer(io, folder, undefined);
  try {
    const session = await devSession(io, server, project);
    await applyOnce(io, session, project);
    await runOnce(io, server.client, environmentName(project, session));
    const sql = "select day, orders, revenue from shop.marts.revenue order by day";
    const { columns, rows } = await server.client.runQuery({ body: { sql }, signal: io.signal });
    await write(io.stdout, `\nshop.marts.revenue:\n`);
    const items = rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
    await printRows(
      io,
      items,
      columns.map(({ name }) => name),
    );
  } finally {
    await server.stop();
  }
}
