import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import type { RequestContext } from "../warehouse/request-context.ts";

export type RequestHandlers = {
  readonly [Kind in RequestKind]: (
    body: EngineRequests[Kind][0],
    context: RequestContext,
  ) => Promise<EngineRequests[Kind][1]>;
};
