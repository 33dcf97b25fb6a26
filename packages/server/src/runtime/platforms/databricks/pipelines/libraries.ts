import { posix } from "node:path";
import type { PipelineSpec } from "@lakehelm/contract";
import type { UploadedFile } from "../jobs/workspace-files.ts";

type Library = PipelineSpec["libraries"][number];

/** Reads a file of the environment; undefined: there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** The libraries of a pipeline as a workspace takes them, and the files that they need there. */
export interface DeployedLibraries {
  readonly libraries: readonly object[];
  /** Packages of `pypi`: a workspace has no such library, but dependencies of the environment. */
  readonly dependencies: readonly string[];
  readonly files: readonly UploadedFile[];
  readonly problems: readonly string[];
}

/** Paths in folders of a workspace; any other path is a file of the environment. */
const inWorkspace = /^\/(?:Workspace|Repos|Users|Shared|Volumes)\//;

/**
 * Files of the environment are written below `folder`. A path that begins with a folder of the workspace, such as
 * `/Workspace/…`, is passed on.
 */
export async function deployedLibraries(
  { libraries, root_path = "" }: Pick<PipelineSpec, "libraries" | "root_path">,
  folder: string,
  read: ReadFile,
): Promise<DeployedLibraries> {
  const result = { libraries: [] as object[], dependencies: [] as string[], problems: [] as string[] };
  const files = new Map<string, UploadedFile>();
  for (const library of libraries) {
    const { file, notebook, jar, maven, pypi, whl } = library;
    if (jar !== undefined) result.libraries.push({ jar });
    else if (whl !== undefined) result.libraries.push({ whl });
    else if (maven !== undefined) result.libraries.push({ maven });
    else if (pypi !== undefined) result.dependencies.push(pypi.package ?? "");
    else {
      const path = pathOf(library, root_path);
      if (inWorkspace.test(path)) {
        result.libraries.push(notebook ? { notebook: { ...notebook, path } } : { file: { ...file, path } });
        continue;
      }
      const found = await firstFile(path, notebook !== undefined, read);
      if (!found) {
        result.problems.push(
          `The library "${path}" is not among the files of the environment. Upload it, or name a path in the workspace that begins with /Workspace/.`,
        );
        continue;
      }
      files.set(found.path, found);
      const there = { path: `${folder}/${found.path}` };
      result.libraries.push(found.isNotebook ? { notebook: there } : { file: there });
    }
  }
  if (libraries.length === 0)
    result.problems.push("The pipeline has no libraries, so there is nothing to run.");
  if (result.dependencies.includes(""))
    result.problems.push('A pypi library must name its package: {"package": …}.');
  return { ...result, files: [...files.values()] };
}

/** Without a leading slash, unless it is in the workspace. */
function pathOf({ file, notebook }: Library, root: string): string {
  const written = file?.path ?? notebook?.path ?? "";
  const whole = posix.join(written.startsWith("/") ? "" : root, written);
  return inWorkspace.test(whole) ? whole : whole.replace(/^\/+/, "");
}

const endings = ["", ".sql", ".py"];

/** The file of a library. The path of a notebook needs no ending, and has none in a workspace. */
async function firstFile(
  path: string,
  isNotebook: boolean,
  read: ReadFile,
): Promise<UploadedFile | undefined> {
  const mayLackEnding = isNotebook && posix.extname(path) === "";
  for (const ending of mayLackEnding ? endings : [""]) {
    const content = await read(`${path}${ending}`);
    if (content === undefined) continue;
    const language = languageOf(`${path}${ending}`, content);
    // A workspace makes a notebook of every file that begins like one.
    const notebook = language !== undefined && (isNotebook || header.test(content));
    if (!notebook) return { path: `${path}${ending}`, content, isNotebook: false };
    return { path: path.replace(/\.(?:sql|py|scala|r)$/i, ""), content, isNotebook: true, language };
  }
  return undefined;
}

const header = /^(?:#|--|\/\/) Databricks notebook source/;

function languageOf(path: string, content: string): UploadedFile["language"] {
  if (/\.sql$/i.test(path) || content.startsWith("--")) return "SQL";
  if (/\.scala$/i.test(path) || content.startsWith("//")) return "SCALA";
  if (/\.r$/i.test(path)) return "R";
  return /\.py$/i.test(path) || header.test(content) ? "PYTHON" : undefined;
}
