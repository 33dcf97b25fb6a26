import type { IncomingMessage, ServerResponse } from "node:http";
import { readTraceParent } from "../../core/tracing/trace-context.ts";
import type { Tracer } from "../../core/tracing/tracer.ts";

/** What is known about a request when it arrives. */
interface TracedRequest {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path with the names of its parameters; undefined for an unknown path. */
  readonly route: string | undefined;
}

/** Records requests as spans, in the trace of the caller if it sends `traceparent`. */
export interface RequestTraces {
  /** Everything that `serve` does belongs to the span of the request, which ends when `serve` has settled. */
  trace(request: TracedRequest, serve: () => Promise<void>): Promise<void>;
}

/** Probes and scrapes are not traced: they would hide all other requests. */
const untraced: ReadonlySet<string | undefined> = new Set(["/health", "/metrics"]);

export function createRequestTraces(tracer: Tracer): RequestTraces {
  return {
    trace({ id, request, response, route }, serve) {
      const parent = readTraceParent(request.headers.traceparent);
      const traceId = parent?.traceId ?? tracer.newTraceId();
      const isSampled = parent?.isSampled ?? tracer.isSampled(traceId);
      if (!isSampled || untraced.has(route)) return serve();
      const method = request.method as string;
      const span = tracer.start({
        name: route === undefined ? method : `${method} ${route}`,
        kind: "server",
        traceId,
        parentId: parent?.spanId,
        attributes: {
          "http.request.method": method,
          ...(route !== undefined && { "http.route": route }),
          "lakehelm.request.id": id,
        },
      });
      return tracer.within(span, serve).finally(() => {
        const { statusCode } = response;
        span.set({ "http.response.status_code": statusCode });
        span.end({ error: statusCode >= 500 ? `The answer has the status ${statusCode}.` : undefined });
      });
    },
  };
}
