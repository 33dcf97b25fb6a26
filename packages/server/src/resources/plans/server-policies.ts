import { readdirSync, readFileSync } from "node:fs";
import { extname, join, parse } from "node:path";
import { maxPlanPolicies, PlanPolicy } from "@lakehelm/contract";
import { isObject, type ValidationError } from "@lakehelm/contract/schema";
import { policyProblem } from "@lakehelm/policy";
import { parseYaml } from "../../core/yaml/parse.ts";

/** The prefix shows, in a finding, that the policy is not in the project. */
const prefix = "server/";

/**
 * The policies of the server, against which every plan is checked: the author of a project could remove the policies of
 * the project. Each file has the format of those in `policies/` of a project. A file that cannot be used stops the
 * start: a rule that was silently left out would let plans through.
 */
export function readServerPolicies(folder: string | undefined): readonly PlanPolicy[] {
  if (folder === undefined || folder === "") return [];
  const files = filesIn(folder);
  if (files.length > maxPlanPolicies) {
    throw new Error(`PLATFORM_POLICIES_DIR: ${folder} has more than ${maxPlanPolicies} files.`);
  }
  const policies = files.map((file) => readPolicy(join(folder, file), parse(file).name));
  const names = policies.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`PLATFORM_POLICIES_DIR: two policies are named ${twice}.`);
  return policies;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => [".yaml", ".yml", ".json"].includes(extname(name)) && !name.startsWith("."))
      .sort();
  } catch (error) {
    throw new Error(`PLATFORM_POLICIES_DIR: ${folder} cannot be read: ${(error as Error).message}`);
  }
}

function readPolicy(path: string, stem: string): PlanPolicy {
  const wrong = (message: string) => new Error(`PLATFORM_POLICIES_DIR: ${path}: ${message}`);
  const read = parseYaml(readFileSync(path, "utf8"), "strict");
  if ("problems" in read) {
    const [problem] = read.problems;
    throw wrong(`line ${problem?.line}: ${problem?.message}`);
  }
  if (!isObject(read.value)) throw wrong("It must have level, rule and message.");
  const { examples: _, description: __, $schema: ___, ...written } = read.value;
  const errors: ValidationError[] = [];
  const policy = PlanPolicy.check({ name: stem, level: "deny", ...written }, [], errors);
  const [error] = errors;
  if (error) throw wrong(`${error.loc.join(".")}: ${error.msg}.`);
  const problem = policyProblem(policy.rule);
  if (problem !== undefined) throw wrong(`rule: Not valid CEL: ${problem}`);
  return { ...policy, name: `${prefix}${policy.name}` };
}
