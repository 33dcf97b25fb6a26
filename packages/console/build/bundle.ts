import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { compile } from "./compile.ts";

/** A file in each encoding in which it is sent. */
export interface BundledFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

export interface ConsoleBundle {
  /** Identifies the sources of the bundle. */
  readonly hash: string;
  /** The page that every address below `/console/` shows. */
  readonly page: BundledFile;
  /** Scripts and style sheets by name. The name of each contains a hash of its content. */
  readonly files: ReadonlyMap<string, BundledFile>;
}

const own = fileURLToPath(new URL("../", import.meta.url));
const contract = fileURLToPath(new URL("./", import.meta.resolve("@lakehelm/contract")));
/** The cache is in the installation, whose owner could also change the sources. */
const defaultCache = join(own, "../../node_modules/.cache/lakehelm-console");

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const indexName = "index.html";

/** The hash of all sources of the bundle. package.json pins the versions of the libraries and of esbuild. */
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
  const cached = await readCache(join(cache, hash)).catch(() => undefined);
  const outputs = cached ?? (await compile(join(own, "src")));
  if (!cached) await writeCache(cache, hash, outputs).catch(() => undefined);
  const files = new Map<string, BundledFile>();
  for (const [name, text] of outputs) files.set(name, await encoded(name, text));
  const page = files.get(indexName);
  if (!page) throw new Error("The bundle of the console has no page.");
  files.delete(indexName);
  return { hash, page, files };
}

async function encoded(name: string, plain: Buffer): Promise<BundledFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, { params }),
  ]);
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const contentType = contentTypes[extension] ?? "application/octet-stream";
  return { contentType, plain, gzip: zipped, br };
}

async function readCache(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  if (!names.includes(indexName)) throw new Error("The cached bundle is incomplete.");
  const files = new Map<string, Buffer>();
  for (const name of names) files.set(name, await readFile(join(folder, name)));
  return files;
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
