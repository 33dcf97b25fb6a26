import type { DesignFile } from "@lakehelm/codegen/content-hash";
import { type Attempt, AutomationDefinition } from "@lakehelm/contract";
import type { Entry } from "@lakehelm/contract/schema";
import { conflict } from "../problems.ts";
import { longestYaml, readYaml } from "../yaml.ts";
import { definitionFile, definitionText } from "./design.ts";
import { secretFindings } from "./design-secrets.ts";
import { placeOf } from "./finding.ts";

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

/** What of an attempt is its definition; what was not said is left out. */
export function fieldsOf(attempt: Attempt): Record<string, unknown> {
  const { description, tasks, schedule, trigger, parameters, overlap, timeout_seconds, notifications } =
    attempt;
  const brought = attempt.files.some(isDefinition);
  return {
    version: attempt.version ?? 1,
    description,
    ...((!brought || tasks.length > 0) && { tasks }),
    ...(schedule && { schedule }),
    ...(trigger && { trigger }),
    ...((!brought || Object.keys(parameters).length > 0) && { parameters }),
    ...(overlap !== undefined && { overlap }),
    ...(timeout_seconds && { timeout_seconds }),
    ...(notifications && { notifications }),
  };
}

/** The value that the definition of an attempt holds; 409 where its file cannot be read. */
function valueIn(attempt: Attempt): unknown {
  const file = attempt.files.find(isDefinition);
  if (!file) return fieldsOf(attempt);
  const read = readYaml(file.content);
  if ("value" in read) return read.value;
  const [first] = read.problems;
  throw notReleased(attempt, [`${file.path}:${first?.line}:${first?.column}: ${first?.message}`]);
}

/** The definition that an attempt has come to; 409 with everything that is not as the schema has it. */
export function definitionOfAttempt(attempt: Attempt): AutomationDefinition {
  const { problems } = writtenDefinition(attempt);
  const value = valueIn(attempt);
  const entries: Entry[] = [];
  const definition = AutomationDefinition.check(value, [], entries);
  const all = [
    ...problems,
    ...entries.map(({ loc, msg }) => `${placeOf(loc)}: ${msg}.`),
    ...secretFindings(value).map(({ sentence }) => sentence),
  ];
  if (all.length > 0) throw notReleased(attempt, all);
  return definition;
}

const notReleased = ({ attempt_id }: Attempt, problems: readonly string[]) =>
  conflict(`The attempt "${attempt_id}" cannot be released. ${problems.join(" ")}`);
