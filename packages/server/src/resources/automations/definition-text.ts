import { cronProblem } from "@lakehelm/codegen";
import { AutomationDefinition } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { readYaml, type WrittenYaml } from "../../core/yaml.ts";
import { definitionFindings } from "./definition.ts";
import { secretFindings } from "./design-secrets.ts";
import { unknownKeys } from "./unknown-keys.ts";
import { finding, pathText, type ValidationFinding } from "./validation-finding.ts";

/** A parsed definition, and the problems that its text alone shows. */
interface ReadDefinition {
  /** Source locations; absent if the text cannot be parsed. */
  readonly written?: WrittenYaml;
  /** Present if the text matches the schema. */
  readonly definition?: AutomationDefinition;
  readonly findings: readonly ValidationFinding[];
}

/** Parses and checks a definition in stages: each stage runs only if the one before found no problem. */
export function readDefinition(text: string, maxLength: number): ReadDefinition {
  const written = readYaml(text, { maxLength });
  if (!("value" in written)) {
    const positioned = ({ message, ...position }: (typeof written.problems)[number]) => ({
      ...finding(message),
      position,
    });
    return { findings: written.problems.map(positioned) };
  }
  const errors: ValidationError[] = [];
  const definition = AutomationDefinition.check(written.value, [], errors);
  const misfits = errors.filter(({ type }) => type !== "extra_forbidden").map(ofSchema);
  const shape = [...misfits, ...unknownKeys(written.value), ...secretFindings(written.value)];
  if (misfits.length > 0) return { written, findings: shape };
  return { written, definition, findings: [...shape, ...rulesOf(definition)] };
}

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
