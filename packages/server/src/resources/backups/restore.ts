import { hash } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { checksumOf } from "../../core/files/checksum.ts";
import { hasCode, openPlain } from "../../core/files/disk.ts";
import { syncFolder } from "../../core/files/sync-folder.ts";
import { openVault } from "../../core/secrets/vault.ts";
import { writePause } from "../../core/server-pause.ts";
import { migrations } from "../../core/store/migrations.ts";
import { restorable, stateFile } from "./contents.ts";
import { copyOne, forEach, syncTree } from "./copy.ts";
import { backupKey, decryptFile, readPrivateKey } from "./encryption.ts";
import {
  checksumsName,
  dataName,
  type FileChecksum,
  type Manifest,
  manifestKey,
  parseChecksums,
  readManifest,
} from "./manifest.ts";

export interface RestoreRequest {
  /** The folder of the backup. */
  readonly backup: string;
  /** The folder must be empty or not exist. */
  readonly dataDir: string;
  /** The secret key of the server that made the backup; with it, the signature is verified. */
  readonly secretKey: string | undefined;
  /** Writes the secret key into the data folder. Otherwise the server gets the key from its settings. */
  readonly keepsKey?: boolean;
  /** PEM. For an encrypted backup. */
  readonly privateKey?: string | undefined;
  /** Accepts a backup whose signature cannot be verified: it has none, or the secret key is not given. */
  readonly acceptsUnsigned?: boolean;
  /** If false, the restored server is paused until an admin resumes it. */
  readonly startsActive: boolean;
}

/** A restored backup. */
export interface Restored {
  readonly manifest: Manifest;
  /** Whether the signature shows that a server with the secret key made the backup. */
  readonly isVerified: boolean;
}

/** Restores a backup and verifies every file. If it throws, nothing is left in the data folder. */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { backup, dataDir, secretKey, keepsKey = false, startsActive } = request;
  const { manifest, isVerified } = await verifyManifest(request);
  const key = decryptionKey(manifest, request.privateKey);
  await requireEmpty(dataDir);
  const files = await listedFiles(backup, manifest);
  const staging = join(dataDir, ".restoring");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    await forEach(files, ({ path, sum }) => restoreFile({ backup, staging, path, sum }, key));
    if (keepsKey && secretKey !== undefined)
      await writeFile(join(staging, "secret-key"), `${secretKey}\n`, { mode: 0o600 });
    if (!startsActive)
      await writePause(staging, `Restored from the backup ${manifest.id} of ${manifest.state_at}.`);
    await syncTree(staging);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  // The control database is moved last: a server that finds it finds everything else.
  const names = (await readdir(staging)).sort((a, b) => Number(a === stateFile) - Number(b === stateFile));
  for (const name of names) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true });
  await syncFolder(dataDir);
  return { manifest, isVerified };
}

/** Without a signature, anyone who can write to the folder of a backup could become admin of the restored server. */
async function verifyManifest({
  backup,
  secretKey,
  acceptsUnsigned = false,
}: RestoreRequest): Promise<Restored> {
  const file = await readManifest(backup);
  if (!file) throw new Error(`${backup} is not a complete backup: it has no manifest.json of one.`);
  const { manifest } = file;
  const vault = secretKey === undefined ? undefined : openVault(secretKey, () => Buffer.alloc(0));
  if (vault && vault.fingerprint !== manifest.secret_key_fingerprint)
    throw new Error("The secret key is not that of the server that was backed up. Use that one.");
  if (manifest.format === 2 && vault && !file.isSignedWith(manifestKey(vault)))
    throw new Error(
      `The manifest of ${backup} was changed, or no server with this key wrote it. Use another backup.`,
    );
  const isVerified = manifest.format === 2 && vault !== undefined;
  if (!isVerified && !acceptsUnsigned) {
    throw new Error(
      manifest.format === 1
        ? "The backup has no signature: an earlier version of Lakehelm made it, or somebody forged it. If only you could write to the place where it was kept, restore it with --accept-unsigned."
        : "The signature of the backup can only be verified with the secret key of its server: give --secret-key-file, or set PLATFORM_SECRET_KEY.",
    );
  }
  if (manifest.schema_version > migrations.length) {
    throw new Error(
      `The backup was made by Lakehelm ${manifest.server_version}, which is newer. Restore it with that version.`,
    );
  }
  return { manifest, isVerified };
}

function decryptionKey({ encryption }: Manifest, privateKey: string | undefined): Buffer | undefined {
  if (encryption === undefined) return undefined;
  if (privateKey !== undefined) return backupKey(encryption, readPrivateKey(privateKey));
  throw new Error("The backup is encrypted: give its private key with --private-key-file.");
}

/** The files of the backup: exactly those with a checksum, all of them regular, and all of them part of a backup. */
async function listedFiles(backup: string, manifest: Manifest): Promise<FileChecksum[]> {
  const list = join(backup, checksumsName);
  const file = await openPlain(list);
  // Read only once: the file could be replaced between two reads.
  const bytes = await file?.readFile().finally(() => file.close());
  if (bytes === undefined || hash("sha256", bytes) !== manifest.checksums)
    throw new Error(`${list} is missing or was changed. Use another backup.`);
  const files = parseChecksums(bytes.toString("utf8"));
  const listed = new Set(files.map(({ path }) => path));
  const found = new Set((await entriesBelow(join(backup, dataName))).map((path) => join(dataName, path)));
  for (const path of found) {
    if (!listed.has(path))
      throw new Error(
        `The backup has files that are not in ${checksumsName}, such as ${path}. Use another backup.`,
      );
    const [, top = ""] = path.split("/");
    if (!restorable.includes(top))
      throw new Error(`The backup has ${path}, which no server backs up. Use another backup.`);
  }
  for (const path of listed)
    if (!found.has(path)) throw new Error(`The backup lacks the file ${path}. Use another backup.`);
  return files;
}

/** All entries below a folder that are not folders. A link or a device is refused: no server backs one up. */
async function entriesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return [];
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (entry.isFile()) return [path];
    throw new Error(`${path} of the backup is not a regular file. Use another backup.`);
  });
}

/** Verifies the bytes that were written, so that a change of the file during the restore is noticed. */
async function restoreFile(
  { backup, staging, path, sum }: FileChecksum & { readonly backup: string; readonly staging: string },
  key: Buffer | undefined,
): Promise<void> {
  const [from, to] = [join(backup, path), join(staging, relative(dataName, path))];
  if (key) {
    if ((await decryptFile({ from, to, path }, key)) === sum) return;
  } else {
    await copyOne(from, to);
    // File modes in a backup are not signed: with a forged mode, other users could write to the database.
    await chmod(to, 0o600);
    if ((await checksumOf(to)) === sum) return;
  }
  throw new Error(`The file ${path} of the backup was changed. Use another backup.`);
}

async function requireEmpty(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  // The root folder of a disk has this entry.
  if (entries.some((name) => name !== "lost+found"))
    throw new Error(`${dataDir} is not empty. Restore into a new folder, or move its content away first.`);
}
