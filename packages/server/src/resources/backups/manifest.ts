import { createHmac } from "node:crypto";
import { join } from "node:path";
import { openPlain } from "../../core/files/disk.ts";
import { equalInConstantTime, type Vault } from "../../core/secrets/vault.ts";
import type { BackupEncryption } from "./encryption.ts";

/** `manifest.json` of a backup. It is written last: a folder without it is no backup. */
export interface Manifest {
  /** 1: made before manifests were signed. */
  readonly format: 1 | 2;
  readonly id: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly ended_at: string;
  readonly state_at: string;
  readonly event_sequence: number;
  readonly includes_state: boolean;
  readonly held_ms: number;
  readonly files: number;
  readonly bytes: number;
  readonly server_version: string;
  readonly schema_version: number;
  /** The id of the data folder that was backed up. */
  readonly data_folder_id: string;
  /** Shows which secret key the backup needs, without revealing it. */
  readonly secret_key_fingerprint: string;
  /** SHA-256 of the file `SHA256SUMS`, which lists the SHA-256 of every other file. */
  readonly checksums: string;
  readonly encryption?: BackupEncryption;
}

export const manifestName = "manifest.json";
export const checksumsName = "SHA256SUMS";
/** The folder in a backup that holds what becomes the data folder. */
export const dataName = "data";

/** The maximum size of a manifest, which has about a thousand bytes. */
const longest = 64 * 1024;

/** The key that signs manifests. */
export const manifestKey = (vault: Pick<Vault, "deriveKey">): Buffer => vault.deriveKey("backup manifest");

/** The text of the manifest file. Its last field is an HMAC of all fields before it. */
export function printManifest(manifest: Manifest, key: Buffer): string {
  const mac = createHmac("sha256", key).update(JSON.stringify(manifest)).digest("hex");
  return `${JSON.stringify({ ...manifest, mac }, undefined, 2)}\n`;
}

export interface ManifestFile {
  readonly manifest: Manifest;
  /** Whether a server with this key wrote the file, every byte of it. */
  isSignedWith(key: Buffer): boolean;
}

/** Undefined if the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<ManifestFile | undefined> {
  const file = await openPlain(join(folder, manifestName));
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    if (size > longest) return undefined;
    const bytes = await file.readFile();
    const { mac: _, ...manifest } = JSON.parse(bytes.toString("utf8")) as Manifest & { mac?: string };
    if (manifest.format !== 1 && manifest.format !== 2) return undefined;
    return {
      manifest,
      isSignedWith: (key) =>
        manifest.format === 2 && equalInConstantTime(Buffer.from(printManifest(manifest, key)), bytes),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

export interface FileChecksum {
  /** Relative to the folder of the backup. */
  readonly path: string;
  readonly sum: string;
}

/** As `sha256sum` prints it: a name with a backslash or line break is escaped, and its line begins with a backslash. */
export function printChecksums(files: readonly FileChecksum[]): string {
  return files
    .map(({ path, sum }) => {
      const escaped = path.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
      return `${escaped === path ? "" : "\\"}${sum}  ${escaped}\n`;
    })
    .join("");
}

export function parseChecksums(text: string): FileChecksum[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const found = /^(\\?)([0-9a-f]{64}) [ *](.+)$/.exec(line);
      if (!found) throw new Error(`${checksumsName} has a line that is not a checksum.`);
      const [, isEscaped, sum = "", name = ""] = found;
      const path = isEscaped
        ? name.replaceAll(/\\(.)/g, (_, next: string) => ({ n: "\n", r: "\r" })[next] ?? next)
        : name;
      return { path, sum };
    });
}
