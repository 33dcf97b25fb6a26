import { posix } from "node:path";
import { shown } from "@lakehelm/contract/text";
import type { Artifact } from "../artifact.ts";
import { notebookHeader } from "./python/cells.ts";
import { type Bundle, type BundlePart, jobsIn, mainFile, pipelinesIn } from "./yaml/bundle.ts";
import { innerTasks } from "./yaml/job-rules.ts";

/** A path in a file, and the kind of file or folder that must exist there. */
interface NamedPath {
  readonly location: string;
  readonly path: string;
  readonly kind: "notebook" | "file" | "folder" | "pattern";
}

/** Checks that the paths in a YAML file are artifacts of the same set, because nothing else is deployed. */
export function referenceProblems(
  part: BundlePart,
  bundle: Bundle,
  artifacts: ReadonlyMap<string, Artifact>,
): { problems: string[]; count: number } {
  if (part.path === mainFile) return includeProblems(bundle);
  const named = namedPaths(part);
  const problems = named.flatMap((one) => {
    const problem = namedProblem(one, part.path, artifacts);
    return problem === undefined ? [] : [`${one.location}: ${shown(one.path)} ${problem}`];
  });
  if (bundle.main && !bundle.main.include.some((pattern) => globPattern(pattern).test(part.path))) {
    problems.push(`No include of ${mainFile} matches this file.`);
  }
  return { problems, count: named.length };
}

function includeProblems({ main, parts }: Bundle): { problems: string[]; count: number } {
  const patterns = main?.include ?? [];
  const others = parts.filter(({ path }) => path !== mainFile);
  const unmatched = patterns.filter((pattern) => !others.some(({ path }) => globPattern(pattern).test(path)));
  return {
    problems: unmatched.map((pattern) => `include: ${shown(pattern)} matches no artifact.`),
    count: patterns.length,
  };
}

function namedPaths(part: BundlePart): NamedPath[] {
  const ofJobs = jobsIn(part).flatMap(([location, { tasks }]) =>
    tasks
      .flatMap(innerTasks)
      .flatMap(({ task_key: key, ...task }): NamedPath[] => [
        ...at(`${location}.tasks.${key}`, "notebook", task.notebook_task?.notebook_path),
        ...at(`${location}.tasks.${key}`, "file", task.spark_python_task?.python_file),
        ...at(`${location}.tasks.${key}`, "file", task.sql_task?.file.path),
      ]),
  );
  const ofPipelines = pipelinesIn(part).flatMap(([location, { libraries, root_path: root }]) => [
    ...at(`${location}.root_path`, "folder", root),
    ...libraries.flatMap(({ notebook, file, glob }, index) => [
      ...at(`${location}.libraries[${index}]`, "notebook", notebook?.path),
      ...at(`${location}.libraries[${index}]`, "file", file?.path),
      ...at(`${location}.libraries[${index}]`, "pattern", glob?.include),
    ]),
  ]);
  return [...ofJobs, ...ofPipelines];
}

const at = (location: string, kind: NamedPath["kind"], path: string | undefined): NamedPath[] =>
  path === undefined ? [] : [{ location, kind, path }];

function namedProblem({ path, kind }: NamedPath, from: string, artifacts: ReadonlyMap<string, Artifact>) {
  if (path.startsWith("/") || path.includes("\\") || path.includes("${")) {
    return "is not relative to the file that names it.";
  }
  const target = posix.join(posix.dirname(from), path);
  if (target === ".." || target.startsWith("../")) return "leaves the bundle's folder.";
  if (kind === "folder") {
    return artifacts.keys().some((one) => one.startsWith(`${target}/`)) ? undefined : "contains no artifact.";
  }
  if (kind === "pattern") {
    return artifacts.keys().some((one) => globPattern(target).test(one)) ? undefined : "matches no artifact.";
  }
  const artifact = artifacts.get(target);
  if (!artifact) return "is not an artifact of this set.";
  if (kind === "notebook" && !artifact.content.startsWith(notebookHeader)) return "is not a notebook.";
  return undefined;
}

/** A pattern for a glob: `*` and `?` do not match "/", `**` does. */
function globPattern(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|[*?]|[^*?]+/g, (piece) => {
    if (piece.startsWith("**")) return ".*";
    return piece === "*" ? "[^/]*" : piece === "?" ? "[^/]" : RegExp.escape(piece);
  });
  return new RegExp(`^${source}$`);
}
