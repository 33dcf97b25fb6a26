/**
 * What a failed request to a workspace means for its sender.
 *
 * - `refused`: the request is wrong. Do not repeat it.
 * - `denied`: no valid credential, or no right. It may also hide that the thing does not exist.
 * - `gone`: the thing does not exist.
 * - `conflict`: the name is taken, or the thing is busy or was changed.
 * - `busy`: it was not done. Repeat it later, after `retryAfterSeconds` if that is known.
 * - `open`: it may have been done. Look before you repeat it.
 */
export type WorkspaceErrorKind = "refused" | "denied" | "gone" | "conflict" | "busy" | "open";

interface WorkspaceErrorDetails {
  readonly status?: number | undefined;
  /** The code that the workspace sent, such as `RESOURCE_DOES_NOT_EXIST`; `403` if it sent a number. */
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A request that a workspace did not fulfil. The message names the host and the path, and no credential. */
export class WorkspaceError extends Error {
  readonly kind: WorkspaceErrorKind;
  /** Undefined: there was no response. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: WorkspaceErrorKind, sentence: string, details: WorkspaceErrorDetails = {}) {
    super(sentence, { cause: details.cause });
    this.name = "WorkspaceError";
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export const isWorkspaceError = (error: unknown, ...kinds: readonly WorkspaceErrorKind[]): boolean =>
  error instanceof WorkspaceError && (kinds.length === 0 || kinds.includes(error.kind));
