import type { Problem } from "../../core/errors.ts";
import { topic } from "../../core/outbox/topic.ts";

/**
 * A change of a file that is committed and may not be on the disk yet. Servers on one database have data folders of their own:
 * an entry is for the folder that has the staged file. The result is what makes the change impossible.
 */
export interface FileChange {
  readonly kind: "file.put" | "file.remove";
  readonly path: string;
  readonly dataFolderId: string;
}

export const fileTopic = topic<FileChange, Problem | undefined>("file");

/** Changes of an environment's files come one after the other. */
export const fileKey = (dataFolderId: string, environmentId: string) =>
  `files/${dataFolderId}/${environmentId}`;
