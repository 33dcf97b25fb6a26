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

/** The token after `Bearer`, in any case, and blanks. No pattern: one with two runs of blanks takes quadratic time. */
function bearer(value: string): string | undefined {
  const text = value.trim();
  const blank = text[6];
  if ((blank !== " " && blank !== "\t") || text.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return text.slice(7).trimStart();
}
