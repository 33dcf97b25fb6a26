import type { Step } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import { type PlatformRequests, settled } from "../../runtime/platforms/platform-requests.ts";
import { automationSubject } from "./registry.ts";

/** A request to the platform about an automation's job. */
export interface JobRequest {
  /** Steps for the requesting transaction. */
  readonly steps: readonly Step[];
  /** Known before the transaction if the platform's effects are transactional. */
  readonly outcome: PlatformOutcome | undefined;
  /** After the transaction: resolves with the outcome once it is recorded; undefined: the platform answers later. */
  finish(): Promise<PlatformOutcome | undefined>;
}

export interface JobRequests {
  request(
    kind: PlatformJobRequest["kind"],
    env: EnvironmentContext,
    automationId: string,
    about: PlatformJobRequest["data"],
    /** Fields of the job that keep the values that a user has set on the platform. */
    kept?: readonly string[],
  ): JobRequest;
}

/** Without a job there is nothing to request. */
export const noJobRequest: JobRequest = {
  steps: [],
  outcome: { done: true, reference: null },
  finish: async () => ({ done: true, reference: null }),
};

export function createJobRequests(
  system: System,
  platformRequests: Pick<PlatformRequests, "submit">,
): JobRequests {
  return {
    request(kind, { platform, environment }, automationId, about, kept) {
      const requested = platformRequests.submit(platform, {
        id: system.newId(),
        environmentId: environment.id,
        kind,
        subject: automationSubject(automationId),
        data: about,
        ...(kept && { kept }),
      });
      return { steps: requested.steps, outcome: requested.outcome, finish: () => settled(requested) };
    },
  };
}
