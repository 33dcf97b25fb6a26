import type { Manifest, Workspaces } from "./workspaces.ts";

/** The manifest of a bundled workspace: what Node needs to find its files. */
export function bundledManifest(
  { name, version, license, exports = {} }: Manifest,
  hasFile: (path: string) => boolean,
): object {
  const packed = Object.entries(exports)
    .map(([from, to]) => [from, to.replace(/\.ts$/, ".js")] as const)
    .filter(([, to]) => hasFile(to));
  return { name, version, license, type: "module", exports: Object.fromEntries(packed) };
}

export interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dependencies?: object } | undefined>
  >;
}

/**
 * The manifest of the package. Its dependencies are those of the bundled workspaces, in the versions of the lock file: they are what
 * our tests ran with.
 */
export function packageManifest(
  root: Manifest,
  workspaces: Workspaces,
  bundled: readonly string[],
  { packages }: LockFile,
) {
  const own = bundled.flatMap((folder) => workspaces.get(folder) ?? []);
  const dependencies = new Map(own.map(({ name, version }) => [name, version]));
  for (const { name: user, dependencies: needed = {} } of own) {
    for (const [name, version] of Object.entries(needed)) {
      if (name.startsWith("@lakehelm/")) {
        if (!dependencies.has(name)) throw new Error(`${user} depends on ${name}, which is not packed.`);
        continue;
      }
      const locked = packages[`node_modules/${name}`]?.version;
      if (locked !== version)
        throw new Error(`${user} depends on ${name} ${version}; package-lock.json has ${locked} for all.`);
      dependencies.set(name, locked);
    }
  }
  const { name, version, description = "", license = "", optionalDependencies = {} } = root;
  return {
    name,
    version,
    description,
    license,
    bin: { lakehelm: "bin/lakehelm.js" },
    engines: { node: ">=20" },
    dependencies: Object.fromEntries([...dependencies].sort(([a], [b]) => (a < b ? -1 : 1))),
    optionalDependencies,
    bundleDependencies: own.map((one) => one.name),
  };
}
