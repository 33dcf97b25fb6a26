import type { Role } from "../identity/caller.ts";

/** What an agent or app is told of who is asking, under the names that Databricks Apps use. */
export function identityHeaders(name: string, role: Role): Record<string, string> {
  const told = headerText(name);
  return {
    "x-forwarded-user": told,
    "x-forwarded-preferred-username": told,
    ...(/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(name) && { "x-forwarded-email": name }),
    "x-forwarded-role": role,
  };
}

/** A header takes no other characters: those are percent-encoded, and `%` with them, so that it can be decoded. */
const headerText = (name: string): string =>
  name.replace(/[^\x20-\x24\x26-\x7e]+|^ +| +$/gu, encodeURIComponent);
