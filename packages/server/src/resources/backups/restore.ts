import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checksumOf } from "../../core/files/checksum.ts";
import { hasCode } from "../../core/files/disk.ts";
import { syncFolder } from "../../core/files/sync-folder.ts";
import { openVault } from "../../core/secrets/vault.ts";
import { writePause } from "../../core/server-pause.ts";
import { migrations } from "../../core/store/migrations.ts";
import { stateFile } from "./contents.ts";
import { copyOne, filesBelow, forEach, syncTree } from "./copy.ts";
import { checksumsName, dataName, type Manifest, parseChecksums, readManifest } from "./manifest.ts";

export interface RestoreRequest {
  /** The folder of the backup. */
  readonly backup: string;
  /** Must not exist, or be empty. */
  readonly dataDir: string;
  /** Absent: the server gets it from its settings, or you put the file `secret-key` into the data folder. */
  readonly secretKey?: string | undefined;
  /** Otherwise the server starts nothing by itself until an admin resumes it. */
  readonly startsActive: boolean;
}

/** Restores a backup after verifying every file of it. Throws an error with a sentence, and then leaves nothing. */
export async function restoreBackup(request: RestoreRequest): Promise<Manifest> {
  const { backup, dataDir, secretKey, startsActive } = request;
  const manifest = await verifyBackup(backup);
  requireKey(manifest, secretKey);
  await requireEmpty(dataDir);
  const staging = join(dataDir, ".restoring");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    const from = join(backup, dataName);
    await forEach(await filesBelow(from), (path) => copyOne(join(from, path), join(staging, path)));
    if (secretKey !== undefined)
      await writeFile(join(staging, "secret-key"), `${secretKey}\n`, { mode: 0o600 });
    if (!startsActive)
      await writePause(staging, `Restored from the backup ${manifest.id} of ${manifest.state_at}.`);
    await syncTree(staging);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  // The state comes last: a server that finds it finds everything.
  const names = (await readdir(staging)).sort((a, b) => Number(a === stateFile) - Number(b === stateFile));
  for (const name of names) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true });
  await syncFolder(dataDir);
  return manifest;
}

/** Compares every file of a backup with its checksum. */
async function verifyBackup(backup: string): Promise<Manifest> {
  const manifest = await readManifest(backup);
  if (!manifest) throw new Error(`${backup} is not a complete backup: it has no manifest.json of one.`);
  if (manifest.schema_version > migrations.length) {
    throw new Error(
      `The backup was made by Lakehelm ${manifest.server_version}, which is newer. Restore it with that version.`,
    );
  }
  const list = join(backup, checksumsName);
  if ((await checksumOf(list).catch(() => "")) !== manifest.checksums)
    throw new Error(`${list} is missing or was changed. Use another backup.`);
  const files = parseChecksums(await readFile(list, "utf8"));
  const listed = new Set(files.map(({ path }) => path));
  const unlisted = (await filesBelow(join(backup, dataName))).filter(
    (path) => !listed.has(join(dataName, path)),
  );
  if (unlisted.length > 0)
    throw new Error(
      `The backup has files that are not in ${checksumsName}, such as ${unlisted[0]}. Use another backup.`,
    );
  await forEach(files, async ({ path, sum }) => {
    const found = await checksumOf(join(backup, path)).catch((error) => {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    });
    if (found === undefined) throw new Error(`The backup lacks the file ${path}. Use another backup.`);
    if (found !== sum) throw new Error(`The file ${path} of the backup was changed. Use another backup.`);
  });
  return manifest;
}

function requireKey({ secret_key_fingerprint }: Manifest, secretKey: string | undefined): void {
  if (secretKey === undefined) return;
  if (openVault(secretKey, () => Buffer.alloc(0)).fingerprint === secret_key_fingerprint) return;
  throw new Error("The secret key is not that of the server that was backed up. Use that one.");
}

async function requireEmpty(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  // The root of a disk has it.
  if (entries.some((name) => name !== "lost+found"))
    throw new Error(`${dataDir} is not empty. Restore into a new folder, or move its content away first.`);
}
