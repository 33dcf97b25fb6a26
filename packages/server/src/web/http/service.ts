import type { endpoints } from "@lakehelm/contract";
import type { Authorize } from "./authorization.ts";
import type { Handlers } from "./handler.ts";
import type { Idempotency } from "./idempotency.ts";
import type { TouchedDefinition } from "./write-policies.ts";

/** A batch has no handler of its own, only its operations have. */
type ServedEndpoints = Omit<typeof endpoints, "runBatch">;

export interface Service {
  readonly handlers: Handlers<ServedEndpoints>;
  readonly idempotency: Idempotency;
  /** Checks the caller's roles in the environments of a request. */
  readonly authorize: Authorize;
  /** In a transaction: the definitions that were changed so far. */
  readonly touched?: () => Promise<readonly TouchedDefinition[]>;
}

/** Serves requests in a transaction, one caller after the other. */
export interface TransactionalService {
  /** What `work` writes is rolled back. */
  dryRun<Result>(
    caller: string,
    signal: AbortSignal,
    work: (service: Service) => Promise<Result>,
  ): Promise<Result>;
  /** What `work` writes is durable once `work` has called `commit`, and is rolled back otherwise. */
  transaction<Result>(
    caller: string,
    signal: AbortSignal,
    work: (service: Service, commit: () => Promise<void>) => Promise<Result>,
  ): Promise<Result>;
}
