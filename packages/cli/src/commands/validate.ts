import { counted } from "@lakehelm/contract/text";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { printValue } from "../output/print.ts";
import type { Problem } from "../project/problems.ts";
import { environmentsOf, openProject } from "../project/project.ts";
import { UsageError } from "../usage-error.ts";
import {
  type ProjectCommandOptions,
  problemText,
  projectFolder,
  targetName,
  variablesOf,
} from "./project-options.ts";

interface Checked {
  readonly environment: string | null;
  readonly resources: number;
  readonly problems: readonly Problem[];
  readonly unchecked: readonly string[];
}

/** Checks the files of a project, for one environment or for all of them. */
export async function validate(
  io: Io,
  options: ProjectCommandOptions,
  globals: GlobalOptions,
): Promise<void> {
  const output = outputOf(globals);
  const folder = projectFolder(io, options);
  const named = targetName(io, globals);
  const variables = variablesOf(io, options);
  const all = await environmentsOf(folder);
  const environments: readonly (string | undefined)[] = named !== undefined || !all?.length ? [named] : all;
  const checked: Checked[] = [];
  for (const target of environments) {
    const project = await openProject(folder, { target, variables, checksConnections: true });
    if ("choice" in project && project.choice !== undefined) throw new UsageError(project.choice);
    const isUsable = "target" in project;
    checked.push({
      environment: isUsable ? project.target.name : (target ?? null),
      resources: isUsable ? project.resources.length : 0,
      problems: project.problems,
      unchecked: isUsable ? project.unchecked : [],
    });
  }
  const problems = distinct(checked);
  const unchecked = [...new Set(checked.flatMap((one) => one.unchecked))];
  const errors = problems.filter(({ level }) => level === "error").length;
  const valid = errors === 0;
  if (output.output !== "table" || output.query !== undefined) {
    await printValue(
      io,
      { valid, environments: checked.map((one) => one.environment), problems, unchecked },
      output,
    );
  } else {
    for (const problem of problems) await write(io.stdout, `${problemText(problem)}\n`);
    for (const sentence of unchecked.slice(0, 50)) note(io, `Not checked: ${sentence}`);
    const resources = Math.max(0, ...checked.map((one) => one.resources));
    const where = checked.flatMap(({ environment }) => environment ?? []).join(", ");
    if (valid)
      await write(
        io.stdout,
        `The project is valid: ${counted(resources, "resource")}, checked for ${where}.\n`,
      );
  }
  if (!valid) throw new Failure(`The project has ${errors} ${errors === 1 ? "error" : "errors"}.`);
}

/** Merges equal problems of several environments. A problem in only some environments names them. */
function distinct(checked: readonly Checked[]): Problem[] {
  const found = new Map<string, { problem: Problem; in: (string | null)[] }>();
  for (const { environment, problems } of checked) {
    for (const problem of problems) {
      const key = JSON.stringify(problem);
      const known = found.get(key) ?? { problem, in: [] };
      known.in.push(environment);
      found.set(key, known);
    }
  }
  return [...found.values()].map(({ problem, in: where }) =>
    where.length === checked.length
      ? problem
      : { ...problem, message: `${problem.message} (${where.join(", ")})` },
  );
}
