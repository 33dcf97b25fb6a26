import type { ChangeContext, DomainEvent, Step } from "../store/store.ts";

/** What entries of one kind carry, and what an attempt at one returns. */
export interface Topic<Payload, Result = void> {
  readonly name: string;
  /** Only for the types. */
  readonly types?: { readonly payload: Payload; readonly result: Result };
}

export const topic = <Payload, Result = void>(name: string): Topic<Payload, Result> => ({ name });

/** Something to do after a commit. The id is its idempotency key. */
export interface Entry<Payload = unknown> {
  readonly id: string;
  /** Entries of one key run one after the other, oldest first, whatever their topics are. */
  readonly key: string;
  readonly environmentId: string | null;
  readonly payload: Payload;
  /** Failed attempts so far. */
  readonly attempts: number;
}

/** How an attempt went. An error that is thrown is a failed attempt, too. */
export interface Attempt<Result> {
  /** `failed`: retried with backoff, `rejected`: a dead letter at once. */
  readonly outcome: "completed" | "failed" | "rejected";
  readonly result: Result;
  /** Of a failed one: the least time until the next attempt. */
  readonly retryAfterMs?: number;
}

export const completed = <Result>(result: Result): Attempt<Result> => ({ outcome: "completed", result });

/** What becomes of the entry after an attempt. */
export interface NextState {
  readonly state: "completed" | "pending" | "dead";
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly time: string;
}

/** What joins the change that completes, reschedules or buries an entry. */
export interface Recording {
  readonly context?: ChangeContext;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  /** After the commit. */
  committed?(): void | Promise<void>;
}

/**
 * Where an entry can run now: on any server, on this one alone (claims of other servers are void, because it holds what the
 * entry needs), or not on this one.
 */
export type Readiness = "any" | "here" | "elsewhere";

export interface Handler<Payload, Result = void> {
  readiness?(entry: Entry<Payload>): Readiness | Promise<Readiness>;
  /** Does the work. It may be called again with the same entry after a crash. */
  perform(entry: Entry<Payload>, signal: AbortSignal): Promise<Attempt<Result>>;
  /** Called again if what it read has changed before the commit. */
  record?(entry: Entry<Payload>, result: Result, next: NextState): Promise<Recording>;
  /** After so many failed attempts an entry is a dead letter. Absent: it is retried until it succeeds. */
  readonly maxAttempts?: number;
}

/** The handlers of all topics, by the topic's name. */
export type Handlers = Readonly<Record<string, Handler<never, never>>>;

/** A handler whose types are checked against its topic. */
export const handlerOf = <Payload, Result>(
  { name }: Topic<Payload, Result>,
  handler: Handler<Payload, Result>,
): Handlers => ({ [name]: handler as Handler<never, never> });

/** Thrown by `perform`: the entry cannot run now. This is no attempt; a request that waits for it gets the cause. */
export class Deferred extends Error {
  override readonly cause: Error;
  readonly afterMs: number;
  constructor(cause: Error, afterMs = 1_000) {
    super(cause.message);
    this.cause = cause;
    this.afterMs = afterMs;
  }
}
