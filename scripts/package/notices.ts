import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LockFile } from "./manifests.ts";

/** The licenses of the libraries whose code is in the prebuilt console, which ask to be passed on with it. */
export async function consoleNotices(root: string, { packages }: LockFile): Promise<string> {
  const names = new Set<string>();
  const waiting = [...Object.keys(packages["packages/console"]?.dependencies ?? {})];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // The compiler is not in what it compiles.
    if (names.has(name) || name === "esbuild" || name.startsWith("@lakehelm/")) continue;
    names.add(name);
    waiting.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}));
  }
  const notices = [...names].sort().map(async (name) => {
    const folder = join(root, "node_modules", name);
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${folder} has no license file.`);
    const { version } = packages[`node_modules/${name}`] ?? {};
    return `${name} ${version}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  return `The console contains code of these libraries.\n\n${(await Promise.all(notices)).join("\n---\n\n")}`;
}
