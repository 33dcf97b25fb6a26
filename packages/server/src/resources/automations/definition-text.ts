import { cronProblem } from "@lakehelm/codegen";
import { AutomationDefinition } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { pathText } from "../../core/secrets/references.ts";
import { readYaml, type WrittenYaml } from "../../core/yaml/read.ts";
import { definitionFindings } from "./definition.ts";
import { secretFindings } from "./design-secrets.ts";
import { type MatchingParts, matchingParts } from "./matching-parts.ts";
import { unknownKeys } from "./unknown-keys.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** A parsed definition, and the problems that its text alone shows. */
interface ReadDefinition {
  /** Source locations; absent if the text cannot be parsed. */
  readonly written?: WrittenYaml;
  /** Present if the text matches the schema. */
  readonly definition?: AutomationDefinition;
  /** If the text does not match the schema: the parts that do. */
  readonly parts?: MatchingParts | undefined;
  readonly findings: readonly ValidationFinding[];
}

/** Parses and checks a definition. All problems are found at once, unless the text cannot be parsed. */
export async function readDefinition(
  text: string,
  options: { readonly maxLength: number; readonly owner: string },
): Promise<ReadDefinition> {
  const written = await readYaml(text, options);
  if (!("value" in written)) {
    const positioned = ({ message, ...position }: (typeof written.problems)[number]) => ({
      ...finding(message),
      position,
    });
    return { findings: written.problems.map(positioned) };
  }
  const errors: ValidationError[] = [];
  const definition = AutomationDefinition.check(written.value, [], errors);
  const misfits = errors.filter(isMisfit).map(ofSchema);
  const shape = [...misfits, ...unknownKeys(written.value), ...secretFindings(written.value)];
  if (misfits.length === 0) return { written, definition, findings: [...shape, ...rulesOf(definition)] };
  const parts = matchingParts(written.value, errors.filter(isMisfit));
  const rules = parts
    ? [...parts.errors.map(ofSchema), ...rulesOf(parts.definition).filter(parts.concerns)]
    : [];
  return { written, parts, findings: [...shape, ...rules] };
}

/** Unknown keys have a check of their own, which suggests the key that was meant. */
const isMisfit = ({ type }: ValidationError) => type !== "extra_forbidden";

const ofSchema = ({ loc, msg }: ValidationError): ValidationFinding =>
  finding([pathText(loc), msg].filter(Boolean).join(": "), ...loc);

/** Rules beyond the schema, and what Databricks could not run. */
function rulesOf(definition: AutomationDefinition): ValidationFinding[] {
  const found = definitionFindings(definition);
  const { schedule } = definition;
  if (!schedule || found.some(({ path: [root] }) => root === "schedule")) return found;
  const problem = cronProblem(schedule.cron);
  return problem === undefined ? found : [...found, finding(problem, "schedule", "cron")];
}
