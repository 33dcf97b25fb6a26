import { shown } from "@lakehelm/contract/text";
import { type Bundle, type BundlePart, jobsIn, mainFile } from "./bundle.ts";

/** What a bundle says of itself and its workspace; the rest of a `${…}` is looked up. */
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

/** What a run says of itself, beside its parameters. */
const ofRuns =
  /^(?:job\.(?:id|name|run_id|repair_count|start_time\.[a-z_]+|trigger\.[a-z_.]+)|task\.(?:name|run_id|execution_count)|tasks\.[\w-]+\.(?:run_id|result_state|error_code|values\.\w+)|workspace\.(?:id|url)|secrets\/[^/{}]+\/[^/{}]+)$/;

/**
 * A bundle replaces `${…}` in every text and a job `{{…}}` in its parameters, and neither can be escaped. So each
 * must be one that is meant: of a known kind, and of something that is there.
 */
export function substitutionProblems(part: BundlePart, bundle: Bundle): string[] {
  const problems: string[] = [];
  for (const [place, text] of textsIn(part.value, "")) {
    if (!text.includes("${")) continue;
    if (part.path === mainFile && /^targets\.[^.]+\.workspace\.host$/.test(place)) {
      problems.push(`${place}: An address takes no \${…}.`);
    }
    for (const { 1: inner } of text.matchAll(/\$\{([^}]*)(?:\}|$)/g)) {
      const problem = referenceProblem(inner ?? "", bundle);
      if (problem) problems.push(`${place}: \${${inner}} ${problem}`);
    }
  }
  for (const [place, job] of jobsIn(part)) {
    const parameters = new Set((job.parameters ?? []).map(({ name }) => name));
    const { description: _, name: __, ...rest } = job;
    for (const [inner, text] of textsIn(rest, place)) {
      for (const { 1: reference = "" } of text.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)) {
        const problem = runReferenceProblem(reference.trim(), parameters);
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
    return Object.hasOwn(main?.variables ?? {}, rest[0] ?? "")
      ? undefined
      : "is a variable that is not there.";
  }
  if (kind === "resources" && rest.length === 3) {
    const [type = "", key = "", field = ""] = rest;
    const known = (type === "jobs" || type === "pipelines") && (field === "id" || field === "name");
    if (!known) return "is nothing that a resource has. Expected its id or name.";
    const there = parts.some(({ resources }) => Object.hasOwn(resources[type] ?? {}, key));
    return there ? undefined : "is a resource that is not there.";
  }
  return "is no reference that is known.";
}

function runReferenceProblem(reference: string, parameters: ReadonlySet<string>): string | undefined {
  if (reference.startsWith("job.parameters.")) {
    const name = reference.slice("job.parameters.".length);
    return parameters.has(name) ? undefined : `names a parameter that the job does not have.`;
  }
  return ofRuns.test(reference) ? undefined : "is no reference that is known.";
}

/** Every text of a value, keys too, with the path of its place. */
export function* textsIn(value: unknown, place: string): Generator<[string, string]> {
  if (typeof value === "string") yield [place, value];
  if (typeof value !== "object" || value === null) return;
  const list = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!list) yield [place, key];
    const name = /^[\w-]+$/.test(key) ? key : shown(key);
    yield* textsIn(item, list ? `${place}[${key}]` : place === "" ? name : `${place}.${name}`);
  }
}
