import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { forwardedHeaders, forwardedRequestHeaders } from "../http/connection-headers.ts";
import type { Address } from "./addresses.ts";
import { cookieOfApp, cookiesForApp } from "./cookies.ts";
import { identityHeaders } from "./identity-headers.ts";
import type { AppSession } from "./session.ts";

const withheld = ["forwarded", "x-real-ip", "x-request-id", "authorization", "x-service-auth", "cookie"];

/**
 * Headers that only we may set, or that an app must not see. Behind CGI or WSGI, `X_Forwarded_User` equals
 * `X-Forwarded-User`: every character but letters and digits is replaced (RFC 3875, 4.1.18).
 */
function isWithheld(name: string): boolean {
  const alike = name.replace(/[^a-z0-9]/g, "-");
  return alike.startsWith("x-forwarded-") || withheld.includes(alike);
}

/** The request headers that an app gets: the caller, and its own public address. */
export function headersForApp(
  request: IncomingMessage,
  { prefix, origin }: Address,
  session: AppSession,
  requestId: string,
): OutgoingHttpHeaders {
  const kept = Object.entries(forwardedRequestHeaders(request)).filter(([name]) => !isWithheld(name));
  const cookie = cookiesForApp(request.headers.cookie);
  const address = request.socket.remoteAddress ?? "";
  const [scheme, host] = origin.split("://");
  return {
    ...Object.fromEntries(kept),
    ...(cookie !== undefined && { cookie }),
    ...identityHeaders(session.user, session.role),
    "x-forwarded-host": host,
    "x-forwarded-proto": scheme,
    "x-forwarded-prefix": prefix,
    "x-forwarded-for": address,
    "x-real-ip": address,
    "x-request-id": requestId,
  };
}

/** Response headers that would affect every app of the same origin. */
const ofWholeOrigin = ["service-worker-allowed", "clear-site-data"];

/** The response headers of an app, with cookies and redirects restricted to its own paths. */
export function headersFromApp(
  headers: IncomingHttpHeaders,
  { prefix }: Address,
  requestId: string,
): OutgoingHttpHeaders {
  const { "set-cookie": cookies, location, ...others } = forwardedHeaders(headers);
  const kept = cookies?.flatMap((cookie) => cookieOfApp(cookie, prefix) ?? []) ?? [];
  const shared = prefix === "" ? [] : ofWholeOrigin;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !shared.includes(name))),
    ...(kept.length > 0 && { "set-cookie": kept }),
    ...(location !== undefined && { location: redirected(location, prefix) }),
    "x-request-id": requestId,
  };
}

/** Most apps do not know their prefix, so `/login` means their own path. Other apps already include the prefix. */
function redirected(location: string, prefix: string): string {
  const isOwnPath = /^\/(?![/\\])/.test(location);
  const isWithin = location === prefix || location.startsWith(`${prefix}/`);
  return prefix !== "" && isOwnPath && !isWithin ? `${prefix}${location}` : location;
}
