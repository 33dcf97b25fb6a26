/** Replaces `bundle.ts` in the npm package, which has neither the sources of the console nor esbuild. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleOf, type ConsoleBundle, readOutputs } from "./bundled-files.ts";

/** `npm run package` writes it. Its only folder is named after the hash of the sources. */
const folder = fileURLToPath(new URL("../bundle/", import.meta.url));

export async function sourceHash(): Promise<string> {
  const [hash, ...others] = await readdir(folder);
  if (hash === undefined || others.length > 0)
    throw new Error(`${folder} does not have exactly one bundle. Install the package again.`);
  return hash;
}

export async function bundleConsole(): Promise<ConsoleBundle> {
  const hash = await sourceHash();
  return bundleOf(hash, await readOutputs(join(folder, hash)));
}
