import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeSchemas } from "../commands/schema.ts";
import { type Io, write } from "../io.ts";

const example = fileURLToPath(new URL("../../example", import.meta.url));

/** While it exists, the first run of a project has not succeeded: the next call continues it. */
const unfinishedFile = (folder: string) => join(folder, ".lakehelm/data/init-unfinished");

export const isUnfinished = (folder: string): boolean => existsSync(unfinishedFile(folder));

export const finishProject = (folder: string): Promise<void> => rm(unfinishedFile(folder), { force: true });

/** Hidden files that a folder for a new project may have. Others are those of a home folder. */
const hidden =
  /^\.(?:git|gitignore|gitattributes|github|gitlab-ci\.yml|editorconfig|envrc|vscode|idea|DS_Store|lakehelm)$/;

/** Whether there is nothing but such hidden files. False if there is no such folder. */
export async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => undefined);
  return names?.every((name) => hidden.test(name)) ?? false;
}

/** Writes the files of the example. What is there stays: somebody may have changed it. */
export async function writeProject(io: Io, folder: string, shown: string): Promise<void> {
  await mkdir(dirname(unfinishedFile(folder)), { recursive: true });
  await writeFile(unfinishedFile(folder), "");
  // Without what a server that was tried in the example has left there.
  const filter = (path: string) => !basename(path).startsWith(".");
  await cp(example, folder, { recursive: true, force: false, filter });
  const ignored = join(folder, ".gitignore");
  if (existsSync(ignored)) await rm(join(folder, "gitignore"), { force: true });
  else await rename(join(folder, "gitignore"), ignored);
  await writeSchemas(join(folder, ".lakehelm/schemas"));
  await write(io.stdout, `A project is in ${shown}: a connector, a flow, a policy, and data/orders.csv.\n`);
}
