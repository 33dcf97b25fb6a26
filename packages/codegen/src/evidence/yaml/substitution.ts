import { shown } from "@lakehelm/contract/text";
import { type Bundle, type BundlePart, jobsIn, mainFile } from "./bundle.ts";

/** References to the bundle and its workspace. Any other `${…}` must name a variable or a resource. */
const fixed = new Set([
  "bundle.name",
  "bundle.target",
  "bundle.git.branch",
  "bundle.git.commit",
  "bundle.git.origin_url",
  "workspace.host",
  "workspace.root_path",
  "workspace.file_path",
  "workspace.current_user.userName",
  "workspace.current_user.short_name",
]);

/** References to the run, other than its parameters. */
const ofRuns =
  /^(?:job\.(?:id|name|run_id|repair_count|start_time\.[a-z_]+|trigger\.[a-z_.]+)|task\.(?:name|run_id|execution_count)|tasks\.[\w-]+\.(?:run_id|result_state|error_code|values\.\w+)|workspace\.(?:id|url)|secrets\/[^/{}]+\/[^/{}]+)$/;

/** References to the item of a for_each_task, in the task that it repeats. */
const ofItems = /^input(?:\.[\w-]+)*$/;

/**
 * A bundle replaces `${…}` in every string, and a job `{{…}}` in its parameters. Neither can be escaped, so each must
 * be a known reference to something that exists.
 */
export function substitutionProblems(part: BundlePart, bundle: Bundle): string[] {
  const problems: string[] = [];
  for (const [path, text] of textsIn(part.value, "")) {
    if (!text.includes("${")) continue;
    if (part.path === mainFile && /^targets\.[^.]+\.workspace\.host$/.test(path)) {
      problems.push(`${path}: An address cannot contain \${…}.`);
    }
    for (const { 1: inner } of text.matchAll(/\$\{([^}]*)(?:\}|$)/g)) {
      const problem = referenceProblem(inner ?? "", bundle);
      if (problem) problems.push(`${path}: \${${inner}} ${problem}`);
    }
  }
  for (const [path, job] of jobsIn(part)) {
    const parameters = new Set((job.parameters ?? []).map(({ name }) => name));
    const { description: _, name: __, ...rest } = job;
    for (const [inner, text] of textsIn(rest, path)) {
      for (const { 1: reference = "" } of text.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)) {
        const isItem = inner.includes(".for_each_task.task.") && ofItems.test(reference.trim());
        const problem = isItem ? undefined : runReferenceProblem(reference.trim(), parameters);
        if (problem) problems.push(`${inner}: {{${reference}}} ${problem}`);
      }
    }
  }
  return problems;
}

function referenceProblem(reference: string, { main, parts }: Bundle): string | undefined {
  if (fixed.has(reference)) return undefined;
  const [kind, ...rest] = reference.split(".");
  if (kind === "var" && rest.length === 1) {
    return Object.hasOwn(main?.variables ?? {}, rest[0] ?? "") ? undefined : "is an unknown variable.";
  }
  if (kind === "resources" && rest.length === 3) {
    const [type = "", key = "", field = ""] = rest;
    const known = (type === "jobs" || type === "pipelines") && (field === "id" || field === "name");
    if (!known) return "is not a field of a resource. Expected its id or name.";
    const exists = parts.some(({ resources }) => Object.hasOwn(resources[type] ?? {}, key));
    return exists ? undefined : "is an unknown resource.";
  }
  return "is an unknown reference.";
}

function runReferenceProblem(reference: string, parameters: ReadonlySet<string>): string | undefined {
  if (reference.startsWith("job.parameters.")) {
    const name = reference.slice("job.parameters.".length);
    return parameters.has(name) ? undefined : `names a parameter that the job does not have.`;
  }
  return ofRuns.test(reference) ? undefined : "is an unknown reference.";
}

/** Every string of a value, including keys, with its path. */
export function* textsIn(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  const list = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!list) yield [path, key];
    const name = /^[\w-]+$/.test(key) ? key : shown(key);
    yield* textsIn(item, list ? `${path}[${key}]` : path === "" ? name : `${path}.${name}`);
  }
}
