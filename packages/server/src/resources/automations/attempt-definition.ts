import type { DesignFile } from "@lakehelm/codegen";
import type { Attempt, AutomationDefinition } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { longestYaml } from "../../core/yaml.ts";
import { sizeProblem } from "./definition.ts";
import { readDefinition } from "./definition-text.ts";
import { definitionFile, definitionText } from "./design.ts";
import { located } from "./validation-finding.ts";

/** The definition of an attempt as a file: one that it brings, or one that is written from its fields. */
export interface WrittenDefinition {
  readonly file: DesignFile;
  /** How long its text may be: one that we print ourselves has had its values counted before. */
  readonly longest: number;
  /** The other files that it brings. */
  readonly others: readonly DesignFile[];
  readonly problems: readonly string[];
}

const longestPrinted = 1_000_000;
/** A sentence is for people: the first problems are enough to begin with. */
const mostTold = 10;
const names: readonly string[] = [definitionFile, "definition.json"];

export const isDefinition = ({ path }: DesignFile): boolean => names.includes(path);

export function writtenDefinition(attempt: Attempt): WrittenDefinition {
  const [file, ...more] = attempt.files.filter(isDefinition);
  const others = attempt.files.filter((one) => !isDefinition(one));
  const fields = fieldsOf(attempt);
  if (!file) {
    const printed = { path: definitionFile, content: definitionText(fields) };
    return { file: printed, longest: longestPrinted, others, problems: [] };
  }
  const said = Object.keys(fields).filter((key) => key !== "version" && key !== "description");
  return {
    file,
    longest: longestYaml,
    others,
    problems: [
      ...more.map(({ path }) => `"${path}" is a second definition, besides "${file.path}".`),
      ...(said.length > 0 ? [`"${file.path}" is the definition: leave out ${said.join(", ")}.`] : []),
    ],
  };
}

/** What of an attempt is its definition, misspelled keys included; what was not said is left out. */
export function fieldsOf(attempt: Attempt): Record<string, unknown> {
  const { attempt_id, automation_alias, files, metadata, created_at, updated_at, created_by, ...design } =
    attempt;
  const { version, description, tasks, schedule, trigger, parameters, ...more } = design;
  const brought = files.some(isDefinition);
  return {
    version: version ?? 1,
    description,
    ...((!brought || tasks.length > 0) && { tasks }),
    ...(schedule && { schedule }),
    ...(trigger && { trigger }),
    ...((!brought || Object.keys(parameters).length > 0) && { parameters }),
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined && value !== null)),
  };
}

/** The definition that an attempt has come to; 409 with everything that is wrong with it by itself. */
export function definitionOfAttempt(attempt: Attempt): AutomationDefinition {
  const size = sizeProblem(fieldsOf(attempt));
  if (size !== undefined) throw notReleased(attempt, [size]);
  const { file, longest, problems } = writtenDefinition(attempt);
  const { written, definition, findings } = readDefinition(file.content, longest);
  const all = [...problems, ...findings.map(located(file.path, written))];
  if (!definition || all.length > 0) throw notReleased(attempt, all);
  return definition;
}

const notReleased = ({ attempt_id }: Attempt, problems: readonly string[]) =>
  conflict(`The attempt "${attempt_id}" cannot be released. ${problems.slice(0, mostTold).join(" ")}`);
