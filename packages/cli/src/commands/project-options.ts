import { resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import type { Io } from "../io.ts";
import { indented } from "../output/escape.ts";
import type { Problem } from "../project/problems.ts";
import { openProject, type Project } from "../project/project.ts";
import { findProject } from "../project/read/folder.ts";
import type { TargetChoice } from "../project/resolve/target.ts";
import { UsageError } from "../usage-error.ts";

/** Options of every command that works with a project. */
export interface ProjectCommandOptions {
  readonly dir?: string;
  readonly var?: readonly string[];
}

/** The folder of the project: `--dir`, or the nearest project in the current folder and its parents. */
export function projectFolder({ env }: Io, { dir }: ProjectCommandOptions): string {
  const from = resolve(env.LAKEHELM_CWD ?? process.cwd(), dir ?? ".");
  const found = dir === undefined ? findProject(from) : findProject(from) === from ? from : undefined;
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no lakehelm.yaml in ${dir ?? "this folder or above it"}. To make a project: lakehelm init, or lakehelm export.`,
  );
}

/** Values of `--var`; for other names, variables of the process. */
export function variablesOf({ env }: Io, { var: given = [] }: ProjectCommandOptions): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith("LAKEHELM_VAR_") && value !== undefined)
      found.set(name.slice("LAKEHELM_VAR_".length), value);
  }
  for (const text of given) {
    const equals = text.indexOf("=");
    if (equals < 1)
      throw new UsageError(`--var ${text}: write a name, "=" and a value, such as folder=/srv/shop.`);
    found.set(text.slice(0, equals), text.slice(equals + 1));
  }
  return found;
}

/** The environment that `--env` or `LAKEHELM_ENV` names. */
export const targetName = ({ env }: Io, globals: GlobalOptions): string | undefined =>
  globals.env ?? (env.LAKEHELM_ENV || undefined);

/** `connectors/orders-in.yaml:7:3: error: …` */
export const problemText = ({ file, line, column, level, message }: Problem): string =>
  indented(`${file}:${line}:${column}: ${level}: ${message}`, "  ");

/** The project. If it has errors, the command fails with them. */
export async function checkedProject(
  io: Io,
  options: ProjectCommandOptions,
  globals: GlobalOptions,
  target: TargetChoice = targetName(io, globals),
): Promise<Project> {
  const project = await openProject(projectFolder(io, options), {
    target,
    variables: variablesOf(io, options),
  });
  const errors = project.problems.filter(({ level }) => level === "error");
  if ("choice" in project && project.choice !== undefined && errors.length === 0)
    throw new UsageError(project.choice);
  if (errors.length > 0 || !("target" in project)) {
    const shown = project.problems.slice(0, 50).map((one) => `\n  ${problemText(one)}`);
    throw new Failure(
      `The project has ${errors.length} ${errors.length === 1 ? "error" : "errors"}.${shown.join("")}`,
    );
  }
  return project;
}
