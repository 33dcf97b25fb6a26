/** Errors that a caller can cause or must know of. One table (web/http/errors.ts) maps each kind to an HTTP status. */
export type ProblemKind =
  | "unreadable"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "wrongMethod"
  | "conflict"
  | "gone"
  | "stale"
  | "tooLarge"
  | "tooMany"
  | "unavailable";

export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly retryAfterSeconds: number | undefined;
  /** Headers of the response: names and values alternate. */
  readonly headers: readonly string[];

  constructor(
    kind: ProblemKind,
    sentence: string,
    options: { retryAfterSeconds?: number; headers?: readonly string[]; cause?: unknown } = {},
  ) {
    super(sentence, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "Problem";
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? [];
  }
}

/** The control state cannot be read or written at the moment. The database causes this, not the request or task. */
export class StateUnavailable extends Problem {
  constructor(sentence: string, cause: unknown) {
    super("unavailable", sentence, { cause });
  }
}

/** Whether the error or one of its causes is `StateUnavailable`. */
export function isStateUnavailable(error: unknown): error is Error {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof StateUnavailable) return true;
  return false;
}

/** A value in a request that only a rule could check. The caller gets 422 with the value's location. */
export class InvalidRequest extends Error {
  readonly loc: readonly (string | number)[];
  readonly input: unknown;

  constructor(loc: readonly (string | number)[], sentence: string, input: unknown) {
    super(sentence);
    this.name = "InvalidRequest";
    this.loc = loc;
    this.input = input;
  }
}

/**
 * A request that a dry run or a batch cannot carry out, because a transaction cannot undo its effect, for example
 * `sends a message`.
 */
export class NotTransactional extends Error {
  readonly effect: string;

  constructor(effect: string) {
    super(`This request ${effect}, which no transaction can undo.`);
    this.name = "NotTransactional";
    this.effect = effect;
  }
}

export const unreadable = (sentence: string) => new Problem("unreadable", sentence);
export const unauthorized = (sentence: string) => new Problem("unauthorized", sentence);
export const forbidden = (sentence: string) => new Problem("forbidden", sentence);
export const notFound = (sentence: string) => new Problem("notFound", sentence);
export const conflict = (sentence: string) => new Problem("conflict", sentence);
export const gone = (sentence: string) => new Problem("gone", sentence);
export const stale = (sentence: string) => new Problem("stale", sentence);
export const unavailable = (sentence: string, cause?: unknown) =>
  new Problem("unavailable", sentence, { cause });
