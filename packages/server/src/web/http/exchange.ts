import type { IncomingMessage, ServerResponse } from "node:http";
import type { DeprecatedParts, endpoints, requestParser } from "@lakehelm/contract";
import type { Observe } from "./metrics.ts";
import type { Match } from "./router.ts";

/** What a route needs to serve its endpoint. */
export interface RouteTarget {
  readonly name: keyof typeof endpoints;
  readonly read: ReturnType<typeof requestParser>;
  readonly bodyLimit: number;
  readonly observe: Observe;
  /** Undefined if nothing of the endpoint is deprecated. */
  readonly deprecated: DeprecatedParts | undefined;
}

/** A request being served. */
export interface HttpExchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly match: Match<RouteTarget>;
  readonly started: number;
  /** The name of the caller once it is known, if its requests are limited. */
  limitedCaller?: string;
  isDryRun?: true;
}

/** Without the query string: people put tokens there by mistake. */
export const logFields = ({ id, request, path }: Pick<HttpExchange, "id" | "request" | "path">) => ({
  request: id,
  method: request.method,
  path,
});
