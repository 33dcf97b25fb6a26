import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { javascriptOf } from "./javascript.ts";
import type { Workspaces } from "./workspaces.ts";

interface PackedFiles {
  /** By path: the first folder is that of the workspace, as in `cli/src/main.js`. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Names of the packages of others that the files import. */
  readonly imported: ReadonlySet<string>;
}

/** What `npm run package` writes itself. */
const isWritten = (path: string): boolean => /^\w[\w-]*\/package\.json$|^console\/bundle\/$/.test(path);

/**
 * The files that the entries need, with all that these need. Tests and test support are not among them, because no program imports
 * them.
 */
export async function packedFiles(
  packages: string,
  workspaces: Workspaces,
  entries: readonly string[],
): Promise<PackedFiles> {
  const files = new Map<string, string | Buffer>();
  const imported = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || isWritten(path)) continue;
    seen.add(path);
    const file = join(packages, path);
    if (!existsSync(file)) throw new Error(`packages/${path} does not exist, but a packed file names it.`);
    if (statSync(file).isDirectory()) {
      // A server that was tried in a folder leaves its data, with its token, in `.lakehelm`.
      for (const name of await readdir(file)) if (!name.startsWith(".")) waiting.push(join(path, name));
    } else if (/\.[jt]s$/.test(path)) {
      const { code, names } = javascriptOf(await readFile(file, "utf8"));
      files.set(path.replace(/\.ts$/, ".js"), code);
      for (const name of names) {
        const named = fileOf(workspaces, path, name);
        if (named !== undefined) waiting.push(named);
        else if (!name.startsWith("node:")) imported.add(packageOf(name));
      }
    } else files.set(path, await readFile(file));
  }
  return { files, imported };
}

/** `@scope/name` or `name`, without the path in the package. */
const packageOf = (name: string): string => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

/** The file of ours that a name in another one means. */
function fileOf(workspaces: Workspaces, from: string, name: string): string | undefined {
  if (name.startsWith(".")) return normalize(join(dirname(from), name));
  const [, folder, inside = ""] = /^@lakehelm\/([\w-]+)(\/.+)?$/.exec(name) ?? [];
  if (folder === undefined) return undefined;
  const target = workspaces.get(folder)?.exports?.[`.${inside}`];
  if (target === undefined) throw new Error(`packages/${from} imports ${name}, which nothing exports.`);
  return normalize(join(folder, target));
}
