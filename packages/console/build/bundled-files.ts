import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file as it is sent, in each encoding. */
export interface BundledFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

export interface ConsoleBundle {
  /** Identifies the sources that it was made from. */
  readonly hash: string;
  /** The page that every address below `/console/` shows. */
  readonly page: BundledFile;
  /** Scripts and style sheets by name. The name of each contains a hash of its content. */
  readonly files: ReadonlyMap<string, BundledFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const indexName = "index.html";

/** The files that the compiler has made, in each encoding. */
export async function bundleOf(hash: string, outputs: ReadonlyMap<string, Buffer>): Promise<ConsoleBundle> {
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

export async function readOutputs(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  if (!names.includes(indexName)) throw new Error(`The bundle of the console in ${folder} is incomplete.`);
  const files = new Map<string, Buffer>();
  for (const name of names) files.set(name, await readFile(join(folder, name)));
  return files;
}
