import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Hop-by-hop headers (RFC 9110, 7.6.1), which are not forwarded. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "expect",
]);

/** The response headers to forward, without those that `Connection` names. */
export function forwardedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !named.has(name)),
  );
}

/**
 * The request headers to forward. The body keeps its framing, whatever `Connection` names: Node frames no body of a GET or
 * DELETE, which would then be parsed as another request.
 */
export function forwardedRequestHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  const { "content-length": _, ...forwarded } = forwardedHeaders(headers);
  if (headers["transfer-encoding"] !== undefined) return { ...forwarded, "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? forwarded : { ...forwarded, "content-length": length };
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
