import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Headers that belong to one connection (RFC 9110, 7.6.1) and are made anew for the next. */
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

/** What of an answer may be passed on: also without what its `Connection` header names. */
export function passedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !named.has(name)),
  );
}

/**
 * The same of a request, whose body is framed again as it came, whatever its `Connection` header names. Node itself frames no
 * body of a GET or DELETE, which would then be read as another request.
 */
export function passedRequestHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  const { "content-length": _, ...passed } = passedHeaders(headers);
  if (headers["transfer-encoding"] !== undefined) return { ...passed, "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? passed : { ...passed, "content-length": length };
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
