import { counted } from "@lakehelm/contract/text";
import { requireSpace } from "../../../connectors/s3/disk-space.ts";
import type { EgressRules } from "../../../egress/egress.ts";
import type { FolderAccess } from "../../../protocol/files/folder-access.ts";
import { DataProblem } from "../../../protocol/problem.ts";

/** Files of one attempt where the cluster and this machine both see them. Errors are DataProblems. */
export interface Staging {
  /** Stores files of this machine in a folder of the attempt. Returns the address of the folder for the cluster. */
  store(folder: string, files: readonly StoredFile[]): Promise<string>;
  /** Lets the cluster write a folder of the attempt. Returns the address of the folder for the cluster. */
  writableByCluster(folder: string): Promise<string>;
  /** Copies files that the cluster wrote to a folder of this machine. Returns how many there are. */
  retrieve(folder: string, extension: string, into: string): Promise<number>;
  /** Removes all files of the attempt. The next attempt removes what cannot be removed now. */
  remove(): Promise<void>;
}

interface StoredFile {
  readonly name: string;
  /** The path on this machine. */
  readonly path: string;
}

/** The attempt that the files belong to. An attempt removes what earlier attempts of the same stream left. */
export interface StagedAttempt {
  readonly environment: string;
  readonly stream: string;
  readonly attempt: string;
}

/** What staging may use of this machine. */
export interface StagingContext {
  readonly folders: FolderAccess;
  readonly egress: EgressRules;
  readonly signal: AbortSignal;
  /** Space that must stay free on the disk, in MB. */
  readonly diskReserveMb: number;
  /** The most that the cluster may have written; absent: as much as there is space for. */
  readonly mostRetrievedBytes?: number;
}

/** Throws a DataProblem if what the cluster wrote may not be copied to a folder of this machine. */
export async function requireRetrievable(
  into: string,
  bytes: number,
  { diskReserveMb, mostRetrievedBytes = Number.POSITIVE_INFINITY }: StagingContext,
): Promise<void> {
  if (bytes > mostRetrievedBytes)
    throw new DataProblem(
      `The cluster wrote ${counted(bytes, "byte")}; at most ${mostRetrievedBytes} are expected.`,
    );
  await requireSpace(into, bytes, diskReserveMb);
}

/** The cluster writes other files, too, such as `_SUCCESS`. */
export const isWrittenPart = (name: string, extension: string): boolean =>
  name.startsWith("part-") && name.endsWith(extension);
