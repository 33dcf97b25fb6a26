import type { ChangeContext, Step } from "./store.ts";

/** The versions that a caller accepts; "any": the resource must exist. */
export type ExpectedVersion = "any" | readonly number[];

/** Steps that store a response for the idempotency key of its request; none if the request has no key. */
export type SaveAnswer = (text: string, version: number | undefined) => Step[];

/** What a rule needs to know about a request that changes a resource. */
export interface ChangeRequest {
  readonly context: ChangeContext;
  /** Absent: the caller accepts every version. */
  readonly expectedVersion?: ExpectedVersion | undefined;
}

/** What a rule needs to know about a request that creates a resource. */
export interface CreateRequest {
  readonly context: ChangeContext;
  readonly saveAnswer: SaveAnswer;
}
