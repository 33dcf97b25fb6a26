import { performComponent, runsAsProcess, uiAppRefusal } from "../processes/components.ts";
import type { Processes } from "../processes/processes.ts";
import type { PlatformOutcome, TransactionalResult } from "./platform.ts";
import { isComponentRequest, type PlatformRequest } from "./platform-request.ts";

/** Agents and apps that run as processes of this server. */
export interface ServerComponents {
  /** Undefined: the request is performed after the transaction. */
  within(request: PlatformRequest): TransactionalResult | undefined;
  perform(request: PlatformRequest): Promise<PlatformOutcome>;
}

export const createServerComponents = (
  platform: string,
  processes: Pick<Processes, "deploy" | "stop">,
): ServerComponents => ({
  within(request) {
    const done: TransactionalResult = { steps: [], outcome: { done: true, reference: null } };
    if (!isComponentRequest(request)) return undefined;
    // Processes and their folders are removed with the resource.
    if (request.kind === "component.remove") return done;
    if (runsAsProcess(request)) return undefined;
    // The chat of an agent consists of its state alone: there is nothing to start.
    return uiAppRefusal(request) ?? done;
  },
  perform: async (request) =>
    isComponentRequest(request) && runsAsProcess(request)
      ? performComponent(processes, request)
      : { done: false, reason: `The platform ${platform} does not support ${request.kind}.` },
});
