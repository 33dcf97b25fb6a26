import type { ServerRole } from "../http/handler.ts";

/** The identity of the caller for agents and apps, in the headers that Databricks Apps use. */
export function identityHeaders(name: string, role: ServerRole): Record<string, string> {
  const user = headerText(name);
  return {
    "x-forwarded-user": user,
    "x-forwarded-preferred-username": user,
    ...(/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(name) && { "x-forwarded-email": name }),
    "x-forwarded-role": role,
  };
}

/** Characters that a header cannot carry are percent-encoded, and so are `%` and spaces at the start and end. */
function headerText(name: string): string {
  const trimmed = name.trim();
  const start = name.indexOf(trimmed);
  const encoded = trimmed.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);
  return (
    encodeURIComponent(name.slice(0, start)) +
    encoded +
    encodeURIComponent(name.slice(start + trimmed.length))
  );
}
