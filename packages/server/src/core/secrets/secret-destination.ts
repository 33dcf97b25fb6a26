import type { CredentialPath } from "@lakehelm/contract/connections";

/**
 * Where a secret is sent: to hosts, or to programs. None: nowhere. An address that is a secret as a whole names its own host,
 * so nobody else decides it. Unknown: it is filled in when it is sent, and checked then. Only admins install apps.
 */
export type SecretDestination = readonly string[] | "its own address" | "an app" | "unknown";

/** Where the reference at a path of a tree is sent. `text` is the value that it stands in. */
export type DestinationAt = (path: CredentialPath, text: string) => SecretDestination;

/** Hosts that may be unknown yet. */
export const destinationOf = (hosts: string | readonly string[] | undefined): SecretDestination =>
  hosts === undefined ? "unknown" : [hosts].flat();
