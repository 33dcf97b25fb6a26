import type { KeyObject } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Engine } from "@lakehelm/engine";
import { unavailable } from "../../core/errors.ts";
import { checksumsOf } from "../../core/files/checksums.ts";
import { hasCode } from "../../core/files/disk.ts";
import { syncFolder } from "../../core/files/sync-folder.ts";
import { manifestName as archiveManifest } from "../../core/retention/archive-entry.ts";
import { openSqliteSnapshot, type SqliteSnapshot } from "../../core/store/sqlite-snapshot.ts";
import { contents, stateFile, warehouseFolder } from "./contents.ts";
import { copyOne, copyTree, filesBelow, forEach, linkTree, sizeOf, syncTree } from "./copy.ts";
import { encryptFile, newBackupKey } from "./encryption.ts";
import {
  checksumsName,
  dataName,
  type Manifest,
  manifestName,
  printChecksums,
  printManifest,
} from "./manifest.ts";
import {
  type CommitHold,
  copyWarehouse,
  copyWarehouseAhead,
  holdCommits,
  WarehouseChanged,
  warehousesIn,
} from "./warehouse-copy.ts";

export interface BackupSource {
  readonly dataDir: string;
  readonly engine: Pick<Engine, "request">;
  /** Whether the backup includes the control database: false with PostgreSQL. */
  readonly includesState: boolean;
  /** The sequence of the last sealed event. */
  readonly eventSequence: () => Promise<number>;
  readonly now: () => Date;
  /** Must stay free on the disk. */
  readonly reserveBytes: number;
  /** Signs the manifest. */
  readonly key: Buffer;
  /** The public key that the files are encrypted for; undefined: the files are not encrypted. */
  readonly recipient: KeyObject | undefined;
  readonly randomBytes: (size: number) => Buffer;
}

/** What is known before the files are copied. */
export type BackupHead = Pick<
  Manifest,
  | "id"
  | "created_at"
  | "created_by"
  | "server_version"
  | "schema_version"
  | "data_folder_id"
  | "secret_key_fingerprint"
>;

/** The moment that a backup shows. */
interface Moment {
  readonly state_at: string;
  readonly event_sequence: number;
  readonly held_ms: number;
}

/** The folder of the hard links to workspace files while the files are copied. */
export const linksFolder = (dataDir: string): string => join(dataDir, ".backup-links");

/**
 * The folder of the files of an encrypted backup before encryption: plain text stays on the disk of the data folder.
 */
export const plainFolder = (dataDir: string): string => join(dataDir, ".backup-plain");

/** A checkpoint or a killed engine during the copy is rare. */
const tries = 3;

/** Writes a whole backup to `target`, or nothing: the folder gets its name after everything is on the disk. */
export async function writeBackup(
  source: BackupSource,
  head: BackupHead,
  { partial, target }: { readonly partial: string; readonly target: string },
  signal: AbortSignal,
): Promise<Manifest> {
  const links = linksFolder(source.dataDir);
  const encrypted = source.recipient && newBackupKey(source.recipient, source.randomBytes);
  const copies = encrypted ? plainFolder(source.dataDir) : partial;
  const data = join(copies, dataName);
  try {
    await rm(plainFolder(source.dataDir), { recursive: true, force: true });
    for (const folder of [data, join(partial, dataName)])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    const isByReference = await sharesBlocks(join(source.dataDir, "data-folder-id"), join(copies, ".probe"));
    if (!isByReference) await requireSpace(source, copies);
    if (encrypted) await requireSpace(source, partial);
    const moment = await copyMoment(source, { data, links, isByReference }, signal);
    signal.throwIfAborted();
    // Manifests of the archive are copied first: archive files only grow, so they have all that the manifests list.
    for (const isManifest of [true, false])
      for (const name of contents.copied)
        await copyTree(
          join(source.dataDir, name),
          join(data, name),
          signal,
          (path) => (basename(path) === archiveManifest) === isManifest,
        );
    const paths = (await filesBelow(data)).map((path) => join(dataName, path));
    if (encrypted) {
      for (const path of paths) {
        signal.throwIfAborted();
        const file = { from: join(copies, path), to: join(partial, path), path };
        await encryptFile(file, encrypted.key, source.randomBytes);
        await rm(file.from);
      }
    }
    await syncTree(join(partial, dataName));
    const sums = await checksumsOf(
      paths.map((path) => join(partial, path)),
      signal,
    );
    const sizes = await Promise.all(paths.map((path) => sizeOf(join(partial, path))));
    await writeFile(
      join(partial, checksumsName),
      printChecksums(paths.map((path, at) => ({ path, sum: sums[at] ?? "" }))),
      { mode: 0o600, flush: true },
    );
    const [checksums = ""] = await checksumsOf([join(partial, checksumsName)], signal);
    const manifest: Manifest = {
      format: 2,
      ...head,
      ended_at: source.now().toISOString(),
      ...moment,
      includes_state: source.includesState,
      files: paths.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      checksums,
      ...(encrypted && { encryption: encrypted.encryption }),
    };
    await writeFile(join(partial, manifestName), printManifest(manifest, source.key), {
      mode: 0o600,
      flush: true,
    });
    await syncFolder(partial);
    await rename(partial, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
    throw hasCode(error, "ENOSPC", "EDQUOT") ? diskFull(dirname(target), error) : error;
  } finally {
    for (const folder of [links, plainFolder(source.dataDir)])
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

interface Destination {
  readonly data: string;
  readonly links: string;
  /** Whether the file system copies files by reference, which takes neither time nor space. */
  readonly isByReference: boolean;
}

/**
 * Copies state, warehouses and files of one moment: commits are held, so state and files do not get ahead of
 * warehouses.
 */
async function copyMoment(source: BackupSource, to: Destination, signal: AbortSignal): Promise<Moment> {
  for (let n = 1; ; n++) {
    try {
      return await tryMoment(source, to, signal);
    } catch (error) {
      if (!isTransient(error) || n >= tries || signal.aborted) throw error;
      await rm(to.data, { recursive: true, force: true });
      await mkdir(to.data, { recursive: true, mode: 0o700 });
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof WarehouseChanged ||
  (error instanceof Error && "retryable" in error && error.retryable === true);

async function tryMoment(
  { dataDir, engine, includesState, eventSequence, now }: BackupSource,
  { data, links, isByReference }: Destination,
  signal: AbortSignal,
): Promise<Moment> {
  await rm(links, { recursive: true, force: true });
  const warehouses = join(dataDir, warehouseFolder);
  const copyOf = (environment: string) => join(data, warehouseFolder, environment);
  if (!isByReference)
    for (const environment of await warehousesIn(warehouses))
      await copyWarehouseAhead(join(warehouses, environment), copyOf(environment), signal);
  // The anchor is copied before the state: an anchor that is ahead of its log looks as if the log had been cut off.
  for (const name of contents.files) {
    await copyOne(join(dataDir, name), join(data, name)).catch((error) => {
      if (!hasCode(error, "ENOENT")) throw error;
    });
  }
  const holds: CommitHold[] = [];
  let snapshot: SqliteSnapshot | undefined;
  try {
    for (const environment of await warehousesIn(warehouses))
      holds.push(await holdCommits(engine, environment));
    for (const environment of await warehousesIn(join(data, warehouseFolder))) {
      // The environment was deleted since its warehouse was copied.
      if (!holds.some((hold) => hold.environment === environment))
        await rm(copyOf(environment), { recursive: true });
    }
    const from = performance.now();
    snapshot = includesState ? openSqliteSnapshot(join(dataDir, stateFile)) : undefined;
    const state_at = now().toISOString();
    const event_sequence = snapshot?.eventSequence ?? (await eventSequence());
    const linking = linkFiles(dataDir, links);
    // `linking` is awaited later, which reports a failure: until then, a rejection must not count as unhandled.
    linking.catch(() => {});
    for (const hold of holds) {
      signal.throwIfAborted();
      const { environment } = hold;
      await copyWarehouse(join(warehouses, environment), copyOf(environment), hold);
      await hold.release();
    }
    const held_ms = holds.length === 0 ? 0 : Math.round(performance.now() - from);
    await snapshot?.copyTo(join(data, stateFile));
    const areLinked = await linking;
    for (const name of contents.linked)
      await copyTree(join(areLinked ? links : dataDir, name), join(data, name), signal);
    return { state_at, event_sequence, held_ms };
  } finally {
    snapshot?.close();
    await Promise.all(holds.map((hold) => hold.release()));
  }
}

/** False if the file system has no hard links: then the files are copied a little later, as they are then. */
async function linkFiles(dataDir: string, links: string): Promise<boolean> {
  for (const name of contents.linked)
    if (!(await linkTree(join(dataDir, name), join(links, name)))) return false;
  return true;
}

async function requireSpace(
  { dataDir, includesState, reserveBytes }: BackupSource,
  folder: string,
): Promise<void> {
  let needed = includesState ? await sizeOf(join(dataDir, stateFile)) : 0;
  for (const name of [warehouseFolder, ...contents.linked, ...contents.copied]) {
    const below = join(dataDir, name);
    await forEach(await filesBelow(below), async (path) => {
      needed += await sizeOf(join(below, path));
    });
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed + reserveBytes) return;
  throw unavailable(
    `The backup needs ${megabytes(needed)} MB, and ${megabytes(reserveBytes)} MB must stay free (PLATFORM_DISK_RESERVE_MB), but the disk of ${dirname(folder)} has ${megabytes(free)} MB. Delete old backups, or set PLATFORM_BACKUP_DIR to a folder on a larger disk.`,
  );
}

/** Whether a copy takes no space: the file system makes it by reference. */
async function sharesBlocks(from: string, probe: string): Promise<boolean> {
  try {
    await copyFile(from, probe, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

const diskFull = (folder: string, cause: unknown) =>
  unavailable(
    `The disk of ${folder} became full, and nothing of the backup is left. Delete old backups, or set PLATFORM_BACKUP_DIR to a folder on a larger disk.`,
    cause,
  );
