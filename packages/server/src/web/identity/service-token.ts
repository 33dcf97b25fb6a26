import type { Caller } from "./caller.ts";
import { secretMatcher } from "./constant-time-equal.ts";

export const serviceCaller: Caller = { name: "internal-service", role: "admin", authType: "service_token" };

/** The service token and, during a rotation, the one before it. */
export function serviceTokenMatcher(tokens: readonly (string | undefined)[]): (token: string) => boolean {
  const matches = secretMatcher(tokens.filter((token) => token !== undefined));
  // Node reads a header's bytes as Latin-1: a token set in UTF-8 matches when the same bytes arrive.
  return (token) => matches(Buffer.from(token, "latin1"));
}
