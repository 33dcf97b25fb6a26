import { hash } from "node:crypto";
import { maxPlanFiles, maxPlanPolicies, maxPlanResources, type PlanRequest } from "@lakehelm/contract";
import { codeHash, type HashedFile } from "@lakehelm/contract/changes";
import { encodeJson, maxErrors, type ValidationError } from "@lakehelm/contract/schema";
import { policyProblem } from "@lakehelm/policy";
import { turns } from "../../core/concurrency/turns.ts";
import { InvalidRequest, Problem } from "../../core/errors.ts";
import type { Settings } from "../../settings.ts";
import { type Definition, initialFields } from "../planned-definition.ts";
import { codeKey, codeOf } from "./kinds/with-code.ts";
import { nodeOf } from "./lineage.ts";
import type { PlannedKind } from "./planned-kind.ts";
import type { DesiredResource, PlannedFile } from "./planner.ts";

/** The resources of a request, each checked by the schema of its kind. All problems are reported together. */
export async function readResources(
  { resources }: PlanRequest,
  kinds: readonly PlannedKind[],
  { PLATFORM_BODY_LIMIT_BYTES: most }: Pick<Settings, "PLATFORM_BODY_LIMIT_BYTES">,
): Promise<readonly DesiredResource[] | { readonly errors: readonly ValidationError[] }> {
  if (resources.length > maxPlanResources) {
    const sentence = `A plan has at most ${maxPlanResources} resources.`;
    throw new InvalidRequest(["body", "resources"], sentence, resources.length);
  }
  const errors: ValidationError[] = [];
  const known = new Set<string>();
  const read: DesiredResource[] = [];
  const turn = turns();
  for (const [at, { kind, name, definition, file, code, code_files }] of resources.entries()) {
    await turn();
    if (Buffer.byteLength(encodeJson(definition)) > most)
      throw new Problem(
        "tooLarge",
        `The definition of the ${kind} "${name}" has more than ${most} bytes, which is the limit for one resource.`,
      );
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
    const codeFiles = code_files ?? undefined;
    if (codeFiles && codeHash(codeFiles, sha256Of) !== codeOf(kind, whole)) {
      report(
        "code_files",
        `The code of the ${kind} "${name}" is not the hash of these files.`,
        codeFiles.length,
      );
    }
    read.push({ kind, name, file: where ?? null, definition: whole, isDeclared: false, initial, codeFiles });
  }
  return errors.length > 0 ? { errors: errors.slice(0, maxErrors) } : read;
}

const sha256Of = (text: string) => hash("sha256", text);

/** The files of a request, by their paths. */
export function filesOf({ files }: PlanRequest): ReadonlyMap<string, string> {
  const place = ["body", "files"];
  if (files.length > maxPlanFiles)
    throw new InvalidRequest(place, `A plan has at most ${maxPlanFiles} files.`, files.length);
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** Marks the files of pipelines that policies do not see: the plan does not write them. */
export const withSeenCode = (
  resources: readonly DesiredResource[],
  files: ReadonlyMap<string, string>,
): DesiredResource[] =>
  resources.map((one) => {
    if (one.kind !== "pipeline" || !one.codeFiles) return one;
    const marked = ({ path, sha256 }: HashedFile): PlannedFile => {
      const text = files.get(path);
      const isSeen = text !== undefined && sha256Of(text) === sha256;
      return { path, sha256, ...(!isSeen && { isUnseen: true }) };
    };
    return { ...one, codeFiles: one.codeFiles.map(marked) };
  });

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
