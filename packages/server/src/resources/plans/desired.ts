import { maxPlanPolicies, maxPlanResources, type PlanRequest } from "@lakehelm/contract";
import { maxErrors, type ValidationError } from "@lakehelm/contract/schema";
import { policyProblem } from "@lakehelm/policy";
import { InvalidRequest } from "../../core/errors.ts";
import type { Definition } from "../planned-definition.ts";
import { codeKey } from "./kinds/with-code.ts";
import { nodeOf } from "./lineage.ts";
import type { PlannedKind } from "./planned-kind.ts";
import type { DesiredResource } from "./planner.ts";

/** Values that only count when a resource is created, and are not compared. */
const initialFields = ["paused", "created_by"] as const;

/** The resources of a request, each checked by the schema of its kind. All problems are reported together. */
export function readResources(
  { resources }: PlanRequest,
  kinds: readonly PlannedKind[],
): readonly DesiredResource[] | { readonly errors: readonly ValidationError[] } {
  if (resources.length > maxPlanResources) {
    const sentence = `A plan has at most ${maxPlanResources} resources.`;
    throw new InvalidRequest(["body", "resources"], sentence, resources.length);
  }
  const errors: ValidationError[] = [];
  const known = new Set<string>();
  const read = resources.map(({ kind, name, definition, file, code }, at): DesiredResource => {
    const planned = kinds.find((one) => one.kind === kind) as PlannedKind;
    const place = ["body", "resources", at];
    const report = (field: string, msg: string, input: unknown) =>
      errors.push({ type: "value_error", loc: [...place, field], msg, input });
    const node = nodeOf(kind, name);
    if (known.has(node)) report("name", `The ${kind} "${name}" is there twice.`, name);
    known.add(node);
    const { nameField } = planned;
    const own = definition[nameField];
    if (own !== undefined && own !== name) {
      report("definition", `${nameField} of the definition is not the name of the resource, "${name}".`, own);
    }
    const hasCode = code !== undefined && code !== null;
    if (hasCode && !planned.hasCode) report("code", `The code of a ${kind} is not part of a plan.`, code);
    const sent = { ...(kind === "connector" && { created_by: "" }), ...definition, [nameField]: name };
    const body =
      errors.length < maxErrors ? planned.schema.check(sent, [...place, "definition"], errors) : sent;
    const initial = Object.fromEntries(
      initialFields.flatMap((key) => (definition[key] === undefined ? [] : [[key, definition[key]]])),
    );
    const where = file && { path: file.path, line: file.line ?? null };
    const whole = hasCode ? { ...(body as Definition), [codeKey]: code } : (body as Definition);
    return { kind, name, file: where ?? null, definition: whole, isDeclared: false, initial };
  });
  return errors.length > 0 ? { errors: errors.slice(0, maxErrors) } : read;
}

/** The policies of a request: their number, their names, and whether they are CEL. */
export function requirePolicies({ policies }: PlanRequest): void {
  const place = ["body", "policies"];
  if (policies.length > maxPlanPolicies) {
    throw new InvalidRequest(place, `A plan has at most ${maxPlanPolicies} policies.`, policies.length);
  }
  const names = new Set<string>();
  for (const [at, { name, rule }] of policies.entries()) {
    if (names.has(name))
      throw new InvalidRequest([...place, at, "name"], "Two policies have this name.", name);
    names.add(name);
    if (name.startsWith("lakehelm/"))
      throw new InvalidRequest([...place, at, "name"], "Names that begin with lakehelm/ are reserved.", name);
    const problem = policyProblem(rule);
    if (problem !== undefined)
      throw new InvalidRequest([...place, at, "rule"], `Not valid CEL: ${problem}`, rule);
  }
}
