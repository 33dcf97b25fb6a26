/** Builds `dist`: JavaScript and types from the contract's own data and transport. `npm pack` runs it. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { apiSource, operationsSource } from "./api-source.ts";
import { runtimeFiles } from "./runtime-files.ts";

const folder = new URL("../", import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, folder));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

await rm(at("dist"), { recursive: true, force: true });
await rm(at(".build"), { recursive: true, force: true });
await cp(at("src"), at(".build"), { recursive: true });
await write(".build/generated/api.ts", apiSource());
await write(".build/generated/operations.ts", operationsSource());
for (const [path, text] of await runtimeFiles()) await write(`.build/runtime/${path}`, text);
const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
await promisify(execFile)(process.execPath, [tsc, "-p", at("tsconfig.json")]).catch((error) => {
  process.stderr.write(error.stdout ?? "");
  throw error;
});
// TypeScript rewrites the extensions of imports in JavaScript only.
for (const path of await readdir(at("dist"), { recursive: true })) {
  if (!path.endsWith(".d.ts")) continue;
  const text = await readFile(at(`dist/${path}`), "utf8");
  await writeFile(at(`dist/${path}`), text.replaceAll(/(?<= from "\.[^"]*)\.ts(?=";)/g, ".js"));
}
await cp(at("../../LICENSE"), at("dist/LICENSE"));
await rm(at(".build"), { recursive: true, force: true });
