import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../../protocol/problem.ts";
import type { FileStore, FileWork, ListedFile, OpenedFile } from "../files/read/file-store.ts";
import { withRealPaths } from "../files/read/real-paths.ts";
import type { ReadableFormat } from "../files/read/settings.ts";
import type { FileArrivals } from "../source/source.ts";
import type { S3Client } from "./client.ts";
import { requireSpace } from "./disk-space.ts";
import { download, downloadFooter, downloadHead } from "./download.ts";
import { inParallel } from "./in-parallel.ts";
import { findObjects, listObjects, listTopLevel, type ObjectFilter, placeOf } from "./listing.ts";

/** Objects are read in groups: downloaded, read, deleted. A larger object is a group of its own. */
const groupFiles = 1_000;
const groupBytes = 256 * 2 ** 20;
const downloadsAtOnce = 8;

/** How many objects that earlier runs have read are described again, to find out which columns there are. */
const knownFiles = 200;

/**
 * Types are inferred from this many bytes of all text files together, with a least and a greatest share for each file.
 */
const sampleBytes = 16 * 2 ** 20;
const [leastHead, mostHead] = [32 * 1024, 4 * 2 ** 20];

interface S3StoreOptions {
  readonly client: S3Client;
  readonly format: ReadableFormat;
  readonly filter: ObjectFilter;
  readonly temporaryFolder: string;
  /** Space that must stay free on the disk, in MB. */
  readonly diskReserveMb: number;
}

/** Objects below a prefix. DuckDB reads copies of them on this machine, which are deleted afterwards. */
export function s3Store({
  client,
  format,
  filter,
  temporaryFolder,
  diskReserveMb,
}: S3StoreOptions): FileStore {
  const keyOf = ({ name }: ListedFile) => client.settings.prefix + name;
  const requested = (file: ListedFile) => ({
    key: keyOf(file),
    size: file.size,
    version: file.version ?? "",
  });

  type Download = (file: ListedFile, path: string) => Promise<Pick<OpenedFile, "path" | "isExcerpt">>;

  async function withGroups(
    groups: readonly (readonly ListedFile[])[],
    download: Download,
    work: FileWork,
  ): Promise<void> {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    for (const group of groups) {
      const folder = await mkdtemp(join(temporaryFolder, "objects-"));
      const opened: OpenedFile[] = [];
      try {
        await inParallel([...group.entries()], downloadsAtOnce, async ([at, file]) => {
          client.signal.throwIfAborted();
          const local = join(folder, `${at}${extensionOf(file.name)}`);
          opened[at] = { ...file, realPath: file.path, ...(await download(file, local)) };
        });
        await work(opened);
      } catch (error) {
        throw withRealPaths(error, opened.filter(Boolean));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }

  const whole: Download = async (file, path) => {
    await requireSpace(temporaryFolder, file.size, diskReserveMb);
    const { isGzip } = await download(client, requested(file), path);
    if (!isGzip || path.endsWith(".gz")) return { path };
    throw new DataProblem(`${file.path} is stored with Content-Encoding gzip. Name it ${file.name}.gz.`);
  };

  return {
    place: placeOf(client),
    list: (dataset) => listObjects(client, filter, dataset),
    find: (dataset) => findObjects(client, filter, dataset),
    listDatasets: () => listTopLevel(client, filter),
    read: (files, work) =>
      withGroups(
        groupsOf(files, ({ size }) => size),
        whole,
        work,
      ),
    async describe(files, arrivals, work) {
      const described = describedFiles(files, arrivals);
      if (format === "parquet") {
        const footer: Download = async (file, path) => {
          await downloadFooter(client, requested(file), path);
          return { path, isExcerpt: true };
        };
        await withGroups(
          groupsOf(described, () => 0),
          footer,
          work,
        );
        return;
      }
      const most = Math.min(Math.max(Math.floor(sampleBytes / described.length), leastHead), mostHead);
      const head: Download = async (file, path) => {
        const plain = path.replace(/\.gz$/i, "");
        return { path: plain, ...(await downloadHead(client, requested(file), plain, most)) };
      };
      await withGroups(
        groupsOf(described, () => most),
        head,
        work,
      );
    },
  };
}

/** New objects, and some that earlier runs have read: a column that only older objects have is already in the table. */
function describedFiles(
  files: readonly ListedFile[],
  arrivals: FileArrivals | undefined,
): readonly ListedFile[] {
  const isKnown = (file: ListedFile) => arrivals?.wasRead(file.identities) === true;
  const known = files
    .filter(isKnown)
    .sort((one, other) => (one.modified > other.modified ? -1 : 1))
    .slice(0, knownFiles);
  return [...files.filter((file) => !isKnown(file)), ...known];
}

function groupsOf(files: readonly ListedFile[], bytesOf: (file: ListedFile) => number): ListedFile[][] {
  const groups: ListedFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = groups.at(-1);
    bytes += bytesOf(file);
    if (last && last.length < groupFiles && bytes <= groupBytes) last.push(file);
    else {
      groups.push([file]);
      bytes = bytesOf(file);
    }
  }
  return groups;
}

/** Keys can be anything, so copies have numbers as names. Readers need the extension. */
const extensionOf = (name: string): string => /\.[a-z]{1,10}(\.gz)?$/i.exec(name)?.[0].toLowerCase() ?? "";
