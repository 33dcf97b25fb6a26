import type { Caller } from "../http/caller.ts";
import { secretMatcher } from "./constant-time-equal.ts";

export const serviceCaller: Caller = { name: "internal-service", role: "admin", authType: "service_token" };

/** The service token and, during a rotation, its predecessor. */
export function serviceTokenMatcher(tokens: readonly (string | undefined)[]): (token: string) => boolean {
  const matches = secretMatcher(tokens.filter((token) => token !== undefined));
  // Node decodes header bytes as Latin-1: a token configured in UTF-8 matches if the same bytes arrive.
  return (token) => matches(Buffer.from(token, "latin1"));
}
