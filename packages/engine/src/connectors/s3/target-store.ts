import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { type FileManifest, manifestText, parseManifest } from "../files/write/manifest.ts";
import type { TargetStore } from "../files/write/target-store.ts";
import type { TargetContext } from "../target/context.ts";
import { type S3Client, textOf } from "./client.ts";
import { requireSpace } from "./disk-space.ts";
import { download } from "./download.ts";
import { inParallel } from "./in-parallel.ts";
import { objectsBelow, placeOf } from "./listing.ts";
import { S3Failure, s3Problem } from "./problem.ts";
import { abortUnfinished, deleteObject, putObject, upload } from "./upload.ts";

const downloadsAtOnce = 4;
const longestManifest = 64 * 2 ** 20;

/**
 * Objects below a prefix. DuckDB writes a file on this machine, which is then stored as one object: readers see all rows of a
 * run or none of them. The manifest is an object too, and is stored last.
 */
export function s3TargetStore(
  client: S3Client,
  { temporaryFolder, diskReserveMb }: Pick<TargetContext, "temporaryFolder" | "diskReserveMb">,
): TargetStore {
  const { prefix } = client.settings;
  const manifestPrefix = `${prefix}.lakehelm/`;
  const manifestKey = (name: string) => `${manifestPrefix}${name}.json`;
  const newFolder = async () => {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    return mkdtemp(join(temporaryFolder, "objects-"));
  };

  /** Size and ETag of an object; undefined if there is none. */
  async function head(key: string): Promise<{ readonly size: number; readonly version: string } | undefined> {
    try {
      return await client.send({ method: "HEAD", key }, async ({ headers }) => ({
        size: Number(headers.get("Content-Length") ?? 0),
        version: headers.get("ETag") ?? "",
      }));
    } catch (error) {
      return missing(key, error);
    }
  }

  function missing(key: string, error: unknown): undefined {
    if (!(error instanceof S3Failure)) throw error;
    if (error.code === "NoSuchKey" || error.code === "") return undefined;
    throw s3Problem(client.shown(key), client.settings, error);
  }

  const exists = async (file: string) => (await head(prefix + file)) !== undefined;

  return {
    place: placeOf(client),
    shown: (file) => client.shown(prefix + file),
    async requireWritable() {
      const key = `${manifestPrefix}check`;
      await putObject(client, key, "");
      await deleteObject(client, key);
    },
    async manifests() {
      const names: string[] = [];
      for await (const { key } of objectsBelow(client, manifestPrefix)) {
        if (key.endsWith(".json")) names.push(key.slice(manifestPrefix.length, -".json".length));
      }
      return names;
    },
    async readManifest(name): Promise<FileManifest | undefined> {
      const key = manifestKey(name);
      const text = await client
        .send({ key }, (response) => textOf(response, longestManifest))
        .catch((error: unknown) => missing(key, error));
      return text === undefined ? undefined : parseManifest(text, client.shown(key), name);
    },
    writeManifest: (name, manifest) => putObject(client, manifestKey(name), manifestText(manifest)),
    exists,
    isFile: exists,
    async withFiles(files, work) {
      const folder = await newFolder();
      try {
        const paths = files.map((file, at) => join(folder, `${at}${extname(file)}`));
        await inParallel([...files.entries()], downloadsAtOnce, async ([at, file]) => {
          const key = prefix + file;
          const found = await head(key);
          if (!found) throw new S3Failure({ status: 404, code: "NoSuchKey", message: "" });
          await requireSpace(folder, found.size, diskReserveMb);
          await download(client, { key, ...found }, paths[at] as string);
        });
        return await work(paths, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async create(file) {
      const key = prefix + file;
      await abortUnfinished(client, key);
      const folder = await newFolder();
      const path = join(folder, `new${extname(file)}`);
      return {
        path,
        folder,
        commit: () => upload(client, key, path),
        discard: () => rm(folder, { recursive: true, force: true }),
      };
    },
    remove: (file) => deleteObject(client, prefix + file),
  };
}
