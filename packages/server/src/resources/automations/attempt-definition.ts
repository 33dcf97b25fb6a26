import { automationBundle, contentHash, type DesignFile } from "@lakehelm/codegen";
import type { Attempt, AutomationDefinition } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { longestYaml } from "../../core/yaml/read.ts";
import { sizeProblem } from "./definition.ts";
import { readDefinition } from "./definition-text.ts";
import { definitionFile, definitionText, metadataOf } from "./design.ts";
import { checkPaths } from "./file-paths.ts";
import { located } from "./validation-finding.ts";

/** The definition file of an attempt: either supplied by the attempt or generated from its fields. */
export interface AttemptDefinition {
  readonly file: DesignFile;
  /** The maximum length of the text. Generated text may be longer: its number of values is already limited. */
  readonly maxLength: number;
  /** The other files of the attempt. */
  readonly others: readonly DesignFile[];
  readonly problems: readonly string[];
}

const maxGeneratedLength = 1_000_000;
/** The number of problems in an error message. */
const maxProblems = 10;
const names: readonly string[] = [definitionFile, "definition.json"];

export const isDefinition = ({ path }: DesignFile): boolean => names.includes(path);

export function attemptDefinition(attempt: Attempt): AttemptDefinition {
  const [file, ...more] = attempt.files.filter(isDefinition);
  const others = attempt.files.filter((one) => !isDefinition(one));
  const fields = fieldsOf(attempt);
  if (!file) {
    const printed = { path: definitionFile, content: definitionText(fields) };
    return { file: printed, maxLength: maxGeneratedLength, others, problems: [] };
  }
  const declared = Object.keys(fields).filter((key) => key !== "version" && key !== "description");
  return {
    file,
    maxLength: longestYaml,
    others,
    problems: [
      ...more.map(
        ({ path }) =>
          `"${path}" is a second definition. Remove it: "${file.path}" is already the definition.`,
      ),
      ...(declared.length > 0 ? [`"${file.path}" is the definition: leave out ${declared.join(", ")}.`] : []),
    ],
  };
}

/** The definition fields of an attempt, including misspelled keys and without unset ones. */
export function fieldsOf(attempt: Attempt): Record<string, unknown> {
  const { attempt_id, automation_alias, files, metadata, created_at, updated_at, created_by, ...design } =
    attempt;
  const { version, description, tasks, schedule, trigger, parameters, ...more } = design;
  const hasFile = files.some(isDefinition);
  return {
    version: version ?? 1,
    description,
    ...((!hasFile || tasks.length > 0) && { tasks }),
    ...(schedule && { schedule }),
    ...(trigger && { trigger }),
    ...((!hasFile || Object.keys(parameters).length > 0) && { parameters }),
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined && value !== null)),
  };
}

/** What a release takes from an attempt. */
export interface AttemptDesign {
  readonly definition: AutomationDefinition;
  /** The hash of all files of the attempt, as in the response of validation (#3). */
  readonly hash: string;
}

/** The design of an attempt; throws 409 with every problem that the definition has by itself. */
export async function designOfAttempt(
  alias: string,
  attempt: Attempt,
  owner: string,
): Promise<AttemptDesign> {
  const size = sizeProblem(fieldsOf(attempt));
  if (size !== undefined) throw notReleased(attempt, [size]);
  const read = attemptDefinition(attempt);
  const { file, maxLength, problems } = read;
  const { written, definition, findings } = await readDefinition(file.content, { maxLength, owner });
  const all = [...problems, ...findings.map(located(file.path, written))];
  if (!definition || all.length > 0) throw notReleased(attempt, all);
  const { generated, others } = attemptFiles(alias, attempt, read, definition);
  return { definition, hash: contentHash([...generated, ...others.safe]) };
}

/** The generated files of an attempt, which include its definition, and the attempt's other files. */
export function attemptFiles(
  alias: string,
  attempt: Attempt,
  { file, others }: AttemptDefinition,
  /** Undefined if it is invalid: no bundle is generated, because two tasks with the same name would be one file. */
  definition: AutomationDefinition | undefined,
) {
  const bundle = definition ? automationBundle(alias, definition) : [];
  const generated = [file, metadataOf(alias, attempt.metadata), ...bundle];
  return { bundle, generated, others: checkPaths(others, generated) };
}

const notReleased = ({ attempt_id }: Attempt, problems: readonly string[]) =>
  conflict(`The attempt "${attempt_id}" cannot be released. ${problems.slice(0, maxProblems).join(" ")}`);
