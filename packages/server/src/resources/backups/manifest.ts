import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../core/files/disk.ts";

/** `manifest.json` of a backup. It is written last: a folder without it is no backup. */
export interface Manifest {
  readonly format: 1;
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
  /** SHA-256 of the file `SHA256SUMS`, which has that of every other file. */
  readonly checksums: string;
}

export const manifestName = "manifest.json";
export const checksumsName = "SHA256SUMS";
/** The folder in a backup that holds what becomes the data folder. */
export const dataName = "data";

/** Undefined if the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const found = JSON.parse(await readFile(join(folder, manifestName), "utf8")) as Manifest;
    return found.format === 1 ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
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
