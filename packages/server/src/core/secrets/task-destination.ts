import type { AutomationTask } from "@lakehelm/contract";
import { type CredentialPath, hostIn, programs } from "@lakehelm/contract/connections";
import { destinationOf, type SecretDestination } from "./secret-destination.ts";

/** Where a task sends the secret in one of its fields. */
export function taskDestination(
  { kind, url }: Pick<AutomationTask, "kind" | "url">,
  field: CredentialPath[number] | undefined,
): SecretDestination {
  if (kind === "python" || kind === "shell") return [programs];
  if (kind !== "http") return "unknown";
  return field === "url" ? "its own address" : destinationOf(hostIn(url));
}
