import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleOf, type ConsoleBundle, readOutputs } from "./bundled-files.ts";
import { compile } from "./compile.ts";

export type { BundledFile, ConsoleBundle } from "./bundled-files.ts";

const own = fileURLToPath(new URL("../", import.meta.url));
const contract = fileURLToPath(new URL("./", import.meta.resolve("@lakehelm/contract")));
/** The cache is in the installation, whose owner could also change the sources. */
const defaultCache = join(own, "../../node_modules/.cache/lakehelm-console");

/** The hash of everything that the bundle is made from. package.json pins the versions of libraries and of esbuild. */
export async function sourceHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of [join(own, "src"), join(own, "build"), contract]) {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
    for (const file of files.sort()) {
      const text = await readFile(file);
      hash.update(`${file.slice(folder.length)}\0${text.length}\0`).update(text);
    }
  }
  hash.update(await readFile(join(own, "package.json")));
  return hash.digest("hex").slice(0, 32);
}

/**
 * The bundle of the current sources, from the cache or compiled now. If the cache cannot be written, it is not used.
 */
export async function bundleConsole(cache = defaultCache): Promise<ConsoleBundle> {
  const hash = await sourceHash();
  const cached = await readOutputs(join(cache, hash)).catch(() => undefined);
  const outputs = cached ?? (await compile(join(own, "src")));
  if (!cached) await writeCache(cache, hash, outputs).catch(() => undefined);
  return bundleOf(hash, outputs);
}

/**
 * Writes the files and then renames the folder, because two servers may write at once. Bundles of other sources are
 * removed.
 */
async function writeCache(cache: string, hash: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(cache, { recursive: true });
  const others = await readdir(cache);
  const folder = await mkdtemp(join(cache, "new-"));
  try {
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    await rename(folder, join(cache, hash));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  for (const other of others.filter((name) => /^[\da-f]{32}$/.test(name) && name !== hash)) {
    await rm(join(cache, other), { recursive: true, force: true });
  }
}
