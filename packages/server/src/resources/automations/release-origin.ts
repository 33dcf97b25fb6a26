import { conflict } from "../../core/errors.ts";
import { extractSecrets } from "../../core/secrets/secret-extraction.ts";

/** The origin of a release, as far as the workflow states it. */
export interface Origin {
  readonly version: string | undefined;
  readonly git_branch: string | undefined;
  readonly git_commit_sha: string | undefined;
  /** The attempt whose design becomes the automation's definition with the release. */
  readonly attempt_id: string | undefined;
  /** The metadata as stored: a release does not need the workflow's secrets, so they are masked and dropped. */
  readonly metadata: Record<string, unknown>;
}

export function originOf(metadata: Readonly<Record<string, unknown>>): Origin {
  return {
    version: optionalText(metadata, "version"),
    git_branch: optionalText(metadata, "git_branch"),
    git_commit_sha: optionalText(metadata, "git_commit_sha"),
    attempt_id: optionalText(metadata, "attempt_id"),
    metadata: extractSecrets(metadata).masked,
  };
}

/** Null and the empty text count as absent; workflows send them for unknown values. */
function optionalText(metadata: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw conflict(`metadata.${key} must be a string.`);
  return value;
}
