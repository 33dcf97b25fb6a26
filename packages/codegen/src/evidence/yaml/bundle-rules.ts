import { type Bundle, type BundlePart, jobsIn, mainFile, pipelinesIn } from "./bundle.ts";
import type { BundleFile } from "./bundle-schema.ts";
import { jobProblems, pipelineProblems } from "./job-rules.ts";
import { substitutionProblems } from "./substitution.ts";

/** Problems of one file of a bundle that the schema does not find. */
export function bundlePartProblems(part: BundlePart, bundle: Bundle): string[] {
  return [
    ...(part.path === mainFile && bundle.main ? mainProblems(bundle.main) : []),
    ...(part.path === mainFile || bundle.main ? [] : [`No valid ${mainFile} includes it.`]),
    ...jobsIn(part).flatMap(([location, job]) => jobProblems(location, job)),
    ...pipelinesIn(part).flatMap(([location, pipeline]) => pipelineProblems(location, pipeline)),
    ...sharedKeys(part, bundle),
    ...substitutionProblems(part, bundle),
  ];
}

function mainProblems({ targets, variables = {}, permissions = [] }: BundleFile): string[] {
  const all = Object.entries(targets);
  const problems: string[] = [];
  if (all.length === 0) problems.push("targets: At least one is required.");
  if (all.filter(([, target]) => target.default).length > 1)
    problems.push("targets: Only one can be the default.");
  for (const [name, { mode, workspace, permissions: own = [], variables: values = {} }] of all) {
    const root = workspace.root_path;
    if (mode === "production" && root === undefined) {
      problems.push(`targets.${name}: A production target needs workspace.root_path.`);
    }
    const isForAllUsers = [...permissions, ...own].some(({ group_name }) => group_name === "users");
    if (root?.startsWith("/Workspace/Shared") && !isForAllUsers) {
      problems.push(`targets.${name}: A shared root_path needs permissions for the group users.`);
    }
    for (const [variable, { default: value, lookup }] of Object.entries(variables)) {
      if (value === undefined && lookup === undefined && !Object.hasOwn(values, variable)) {
        problems.push(`variables.${variable}: It has no value in the target ${name}.`);
      }
    }
    for (const variable of Object.keys(values).filter((key) => !Object.hasOwn(variables, key))) {
      problems.push(`targets.${name}.variables.${variable}: There is no such variable.`);
    }
  }
  return problems;
}

/** A bundle would silently merge two files that define the same resource. */
function sharedKeys(part: BundlePart, { parts }: Bundle): string[] {
  const others = parts.filter(({ path }) => path !== part.path);
  return (["jobs", "pipelines"] as const).flatMap((kind) =>
    Object.keys(part.resources[kind] ?? {}).flatMap((key) =>
      others
        .filter(({ resources }) => Object.hasOwn(resources[kind] ?? {}, key))
        .map(({ path }) => `resources.${kind}.${key}: ${path} also defines it.`),
    ),
  );
}
