/** Packs the npm packages into `dist`, or `--to` a folder: `lakehelm`, which is all workspaces as JavaScript, and `@lakehelm/client`. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { counted } from "@lakehelm/contract/text";
import { bundleConsole } from "../packages/console/build/bundle.ts";
import { bundledManifest, type LockFile, packageManifest } from "./package/manifests.ts";
import { consoleNotices } from "./package/notices.ts";
import { packedFiles } from "./package/packed-files.ts";
import { readManifest, readWorkspaces } from "./package/workspaces.ts";

/** The package was half of this when the limit was set: a test or a library that slips in fails the build. */
const limit = { packed: 3_000_000, unpacked: 20_000_000 };

const root = join(import.meta.dirname, "..");
const packages = join(root, "packages");
const { values } = parseArgs({ args: process.argv.slice(3), options: { to: { type: "string" } } });
const target = resolve(values.to ?? join(root, "dist"));

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

await mkdir(target, { recursive: true });
const stage = await mkdtemp(join(tmpdir(), "lakehelm-package-"));
try {
  await fill(stage);
  const packed = await pack(stage);
  if (packed.size > limit.packed || packed.unpackedSize > limit.unpacked)
    throw new Error(
      `${packed.filename} is too large: ${megabytes(packed.size)} packed, ${megabytes(packed.unpackedSize)} unpacked. The limits are ${megabytes(limit.packed)} and ${megabytes(limit.unpacked)}.`,
    );
  await pack(join(packages, "client"));
} finally {
  await rm(stage, { recursive: true, force: true });
}

async function fill(stage: string): Promise<void> {
  const workspaces = await readWorkspaces(packages);
  const { files, imported } = await packedFiles(packages, workspaces, ["cli/src/main.ts"]);
  const bundled = [...new Set([...files.keys()].map((path) => path.split("/", 1)[0] ?? ""))].sort();
  const lock: LockFile = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const manifest = packageManifest(await readManifest(join(root, "package.json")), workspaces, bundled, lock);
  for (const name of imported)
    if (!(name in manifest.dependencies))
      throw new Error(`A packed file imports ${name}, which no workspace depends on.`);
  const own = join(stage, "node_modules/@lakehelm");
  for (const [path, content] of files) {
    await mkdir(dirname(join(own, path)), { recursive: true });
    await writeFile(join(own, path), content);
  }
  for (const folder of bundled) {
    const workspace = workspaces.get(folder);
    if (workspace)
      await writeJson(
        join(own, folder, "package.json"),
        bundledManifest(workspace, (path) => files.has(join(folder, path))),
      );
  }
  // A cache of the compiler has the layout that `prebuilt.ts` reads.
  const bundle = join(own, "console/bundle");
  await bundleConsole(bundle);
  // A cache that cannot be written is no error for the compiler.
  if ((await readdir(bundle)).length !== 1) throw new Error(`${bundle} has no console.`);
  await writeFile(join(own, "console/NOTICES.txt"), await consoleNotices(root, lock));
  await writeJson(join(stage, "package.json"), manifest);
  await mkdir(join(stage, "bin"));
  await cp(join(packages, "cli/bin/lakehelm.cjs"), join(stage, "bin/lakehelm.js"));
  await cp(join(root, "LICENSE"), join(stage, "LICENSE"));
  await cp(join(root, "docs/install.md"), join(stage, "README.md"));
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** npm sorts the files and gives all of them the same time, so the same sources make the same bytes. */
async function pack(folder: string): Promise<Packed> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", target], {
    cwd: folder,
    maxBuffer: 64 * 1024 ** 2,
  });
  const [packed] = JSON.parse(stdout) as Packed[];
  if (!packed) throw new Error(`npm packed nothing in ${folder}.`);
  const { filename, size, unpackedSize, entryCount } = packed;
  console.log(
    `${join(target, filename)}: ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ${counted(entryCount, "file")}`,
  );
  return packed;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
