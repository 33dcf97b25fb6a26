import type { IncomingHttpHeaders } from "node:http";
import { unauthorized } from "../../core/errors.ts";

/**
 * The token of a request. If `X-Service-Auth` is present, only it counts: the ingress in front of the warehouse sets
 * its own token in `Authorization`.
 */
export function tokenOf(headers: IncomingHttpHeaders): string {
  const service = headers["x-service-auth"];
  if (service !== undefined) return serviceToken(service);
  const { authorization } = headers;
  if (authorization === undefined) throw unauthorized("The header Authorization: Bearer <token> is missing.");
  const token = bearer(authorization);
  if (token === undefined) throw unauthorized("The header Authorization must have the form Bearer <token>.");
  return token;
}

/** The bare token, or `Bearer <token>`. Node joins duplicate headers with a comma, which no token contains. */
function serviceToken(value: string | string[]): string {
  const token = typeof value === "string" ? (bearer(value) ?? value.trim()) : "";
  if (token === "" || /^bearer$/i.test(token)) {
    throw unauthorized("The header X-Service-Auth must carry one token: <token> or Bearer <token>.");
  }
  return token;
}

function bearer(value: string): string | undefined {
  // The usual form; the pattern below takes ten times as long.
  const plain = value.startsWith("Bearer ") && value.indexOf(" ", 7) < 0 && value.indexOf("\t", 7) < 0;
  if (plain && value.length > 7) return value.slice(7);
  return /^\s*bearer[ \t]+(\S.*?)\s*$/i.exec(value)?.[1];
}
