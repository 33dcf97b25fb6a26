import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** By the folder below `packages`. */
export type Workspaces = ReadonlyMap<string, Manifest>;

export const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(path, "utf8"));

export async function readWorkspaces(packages: string): Promise<Workspaces> {
  const folders = (await readdir(packages)).sort();
  const read = folders.map(
    async (folder) => [folder, await readManifest(join(packages, folder, "package.json"))] as const,
  );
  const workspaces = new Map(await Promise.all(read));
  const console = workspaces.get("console");
  if (!console) throw new Error("There is no workspace console.");
  // The package has neither the sources of the console nor esbuild.
  const { dependencies: _, ...prebuilt } = console;
  return workspaces.set("console", { ...prebuilt, exports: { "./bundle": "./build/prebuilt.ts" } });
}
