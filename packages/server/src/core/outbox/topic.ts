import type { ChangeContext, DomainEvent, Step } from "../store/store.ts";

/** The payload of the entries of one kind, and the result of an attempt. */
export interface Topic<Payload, Result = void> {
  readonly name: string;
  /** Only for the types. */
  readonly types?: { readonly payload: Payload; readonly result: Result };
}

export const topic = <Payload, Result = void>(name: string): Topic<Payload, Result> => ({ name });

/** Work to do after a commit. The id is its idempotency key. */
export interface OutboxEntry<Payload = unknown> {
  readonly id: string;
  /** Entries of one key are performed sequentially, oldest first, whatever their topics. */
  readonly key: string;
  readonly environmentId: string | null;
  readonly payload: Payload;
  /** Failed attempts so far. */
  readonly attempts: number;
}

/** The result of an attempt. A thrown error also counts as a failed attempt. */
export interface OutboxAttempt<Result> {
  /** `failed`: retried with backoff, `rejected`: dead immediately. */
  readonly outcome: "completed" | "failed" | "rejected";
  readonly result: Result;
  /** After a failure: the minimum time until the next attempt. */
  readonly retryAfterMs?: number;
}

export const completed = <Result>(result: Result): OutboxAttempt<Result> => ({
  outcome: "completed",
  result,
});

/** The next state of the entry after an attempt. */
export interface NextState {
  readonly state: "completed" | "pending" | "dead";
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly time: string;
}

/** Steps and events for the transaction that completes or reschedules an entry, or marks it as dead. */
export interface OutboxTransaction {
  readonly context?: ChangeContext;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  /** After the commit. */
  committed?(): void | Promise<void>;
}

/**
 * Where an entry can run now: on any server, only on this one (claims of other servers are void, because this server
 * holds what the entry needs), or not on this one.
 */
export type Readiness = "any" | "here" | "elsewhere";

export interface OutboxHandler<Payload, Result = void> {
  readiness?(entry: OutboxEntry<Payload>): Readiness | Promise<Readiness>;
  /** Does the work. It may be called again with the same entry after a crash. */
  perform(entry: OutboxEntry<Payload>, signal: AbortSignal): Promise<OutboxAttempt<Result>>;
  /** Called again if data that it read has changed before the commit. */
  record?(entry: OutboxEntry<Payload>, result: Result, next: NextState): Promise<OutboxTransaction>;
  /**
   * After a failed attempt that will be retried: the transaction that shows the error to those who wait for the result.
   * It is dropped if data that it read has changed.
   */
  waiting?(entry: OutboxEntry<Payload>, error: unknown): Promise<OutboxTransaction | undefined>;
  /** The work reaches no other system and starts no process, so a paused server performs it, too. */
  readonly isLocal?: true;
  /** An entry is dead after this many failed attempts. Absent: it is retried until it succeeds. */
  readonly maxAttempts?: number;
}

/** The handlers of all topics, by the topic's name. */
export type OutboxHandlers = Readonly<Record<string, OutboxHandler<never, never>>>;

/** A handler whose types are checked against its topic. */
export const handlerOf = <Payload, Result>(
  { name }: Topic<Payload, Result>,
  handler: OutboxHandler<Payload, Result>,
): OutboxHandlers => ({ [name]: handler as OutboxHandler<never, never> });

/**
 * Thrown by `perform`: the entry cannot run now. This does not count as an attempt; a request that waits for it gets
 * the cause.
 */
export class Deferred extends Error {
  override readonly cause: Error;
  readonly afterMs: number;
  constructor(cause: Error, afterMs = 1_000) {
    super(cause.message);
    this.cause = cause;
    this.afterMs = afterMs;
  }
}
