import { posix } from "node:path";
import { isObject } from "@lakehelm/contract/schema";
import { limits } from "./limits.ts";
import type { Place, Problems } from "./problems.ts";
import { type ProjectFolder, UnreadableFile } from "./read/folder.ts";
import { sourceText } from "./read/source-text.ts";
import { entryOf, type Tree, textOf } from "./read/tree.ts";
import type { ResolvedResource } from "./resolve/resolver.ts";

/** A file for the workspace of an environment. Its path there is the same as in the project. */
export interface CodeFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** The resources that use the file, such as `pipelines.sales`. */
  readonly usedBy: readonly string[];
}

/** The SQL files of a pipeline, by their paths in the workspace, which are the same in the project. */
export function libraryPaths(definition: Readonly<Record<string, unknown>>): string[] {
  const { root_path, libraries } = definition;
  const root = typeof root_path === "string" ? root_path : "";
  if (!Array.isArray(libraries)) return [];
  return libraries.flatMap((library) => {
    if (!isObject(library)) return [];
    const { file, notebook } = library;
    const one = isObject(file) ? file.path : isObject(notebook) ? notebook.path : undefined;
    if (typeof one !== "string" || one === "") return [];
    const path = isObject(notebook) && !/\.\w+$/.test(one) ? `${one}.sql` : one;
    return [workspacePath(path.startsWith("/") ? path : posix.join(root, path))];
  });
}

/** Like `libraryPaths`, for the unresolved file of a pipeline. */
export function writtenLibraryPaths(tree: Tree): string[] {
  const libraries = entryOf(tree, "libraries");
  const items = libraries?.kind === "list" ? libraries.items : [];
  return libraryPaths({
    root_path: textOf(entryOf(tree, "root_path")),
    libraries: items.map((item) => ({
      ...(entryOf(item, "file") && { file: { path: textOf(entryOf(entryOf(item, "file"), "path")) } }),
      ...(entryOf(item, "notebook") && {
        notebook: { path: textOf(entryOf(entryOf(item, "notebook"), "path")) },
      }),
    })),
  });
}

const workspacePath = (path: string) => posix.normalize(path).replace(/^(?:\.?\/)+/, "");

/** Reads the files of the project that pipelines, agents and apps use. */
export async function readCode(
  folder: ProjectFolder,
  resources: readonly ResolvedResource[],
  problems: Problems,
): Promise<CodeFile[]> {
  const found = new Map<string, CodeFile>();
  const add = async (path: string, usedBy: string, place: Place) => {
    const known = found.get(path);
    if (known) found.set(path, { ...known, usedBy: [...known.usedBy, usedBy] });
    if (known) return;
    if (found.size >= limits.codeFiles) {
      problems.error(place, `The project has more than ${limits.codeFiles} files with code.`);
      return;
    }
    try {
      found.set(path, { path, usedBy: [usedBy], bytes: await folder.bytes(path, limits.code) });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.error({ source: sourceText(path, ""), at: 0 }, `The file ${error.message}`);
    }
  };
  const addFolder = async (path: string, usedBy: string, place: Place, depth: number): Promise<void> => {
    if (depth > limits.codeDepth) return problems.error(place, `${path} has too many folders in each other.`);
    for (const entry of await folder.list(path)) {
      // For example .git and .env, which must not be uploaded.
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const inner = posix.join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await folder.has(inner) : entry.isDirectory() ? "folder" : "file";
      if (kind === "folder") await addFolder(inner, usedBy, place, depth + 1);
      else await add(inner, usedBy, place);
      if (found.size >= limits.codeFiles) return;
    }
  };
  for (const { kind, name, definition, tree } of resources) {
    const usedBy = `${kind.folder}.${name}`;
    if (kind.kind === "pipeline") {
      for (const path of libraryPaths(definition)) {
        if (await folder.has(path)) await add(path, usedBy, tree);
      }
    } else if (typeof definition.source_path === "string" && definition.source_path !== "") {
      const path = workspacePath(definition.source_path);
      if (path !== "." && (await folder.has(path)) === "folder") await addFolder(path, usedBy, tree, 0);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
