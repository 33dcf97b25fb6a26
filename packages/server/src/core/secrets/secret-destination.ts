import type { CredentialPath } from "@lakehelm/contract/connections";

/**
 * Where a secret is sent: to hosts, or to programs. An empty list: nowhere. An address that is a secret as a whole
 * names its own host, so nothing else decides it. An unknown destination is filled in, and checked, when the secret is
 * sent. Only admins install apps.
 */
export type SecretDestination = readonly string[] | "its own address" | "an app" | "unknown";

/** Where the reference at a path of a tree is sent. `text` is the value that contains the reference. */
export type DestinationAt = (path: CredentialPath, text: string) => SecretDestination;

/** Hosts that may be unknown yet. */
export const destinationOf = (hosts: string | readonly string[] | undefined): SecretDestination =>
  hosts === undefined ? "unknown" : [hosts].flat();
