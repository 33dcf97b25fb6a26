import { Problem } from "../../../../core/errors.ts";
import type { ChangeContext, Step } from "../../../../core/store/store.ts";
import { type PlatformOutcome, RequestPending } from "../../platform.ts";
import type { PlatformRequest } from "../../platform-request.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";

/** Performs the requests about one kind of resource. Each can be repeated after a crash or a lost answer. */
export interface RequestHandler<Request extends PlatformRequest> {
  perform(request: Request): Promise<PlatformOutcome>;
  /** Steps for the change that records the outcome. */
  recorded(request: Request, outcome: PlatformOutcome, context: ChangeContext): readonly Step[];
  /** Removes what a create without an answer made after the search for its mark. */
  removeLate(request: Request): Promise<void>;
}

/** The outcome of a request; throws RequestPending while it is not known. */
export async function outcomeOf(perform: () => Promise<PlatformOutcome>): Promise<PlatformOutcome> {
  try {
    return await perform();
  } catch (error) {
    // The request may have been done, or could not be sent: it is performed again, and then looks for its mark.
    if (isWorkspaceError(error, "open", "busy") || (error instanceof Problem && error.kind === "unavailable"))
      throw new RequestPending((error as Error).message, { cause: error });
    if (error instanceof Problem || isWorkspaceError(error))
      return { done: false, reason: (error as Error).message };
    throw error;
  }
}
