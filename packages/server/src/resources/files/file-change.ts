import type { Problem } from "../../core/errors.ts";
import { topic } from "../../core/outbox/topic.ts";
import type { DomainEvent } from "../../core/store/store.ts";

/**
 * A committed change of a file that may not be on the disk yet. Servers on one database have their own data folders: an
 * entry belongs to the folder that has the staged file. The result is the problem that makes the change impossible.
 */
export interface FileChange {
  readonly kind: "file.put" | "file.remove";
  readonly path: string;
  readonly dataFolderId: string;
}

export const fileTopic = topic<FileChange, Problem | undefined>("file");

/** Changes of an environment's files are serialized. */
export const fileKey = (dataFolderId: string, environmentId: string) =>
  `files/${dataFolderId}/${environmentId}`;

export const fileEvent = (
  kind: string,
  environmentId: string,
  path: string,
  more: Readonly<Record<string, unknown>>,
): DomainEvent => ({
  kind,
  subject: `file/${environmentId}/${path}`,
  data: { environment_id: environmentId, path, ...more },
});
