import { createHmac, createSecretKey, hash } from "node:crypto";
import { canonicalText } from "../../core/changes/canonical-text.ts";
import type { Vault } from "../../core/secrets/vault.ts";

export const sha256 = (text: string): string => `sha256:${hash("sha256", text)}`;

export interface Digest {
  (value: unknown): string;
  /** The digest of a value's canonical text. */
  ofText(text: string): string;
}

/** Digests of definitions with their secrets: only with the key, because a plain hash of a password could be guessed. */
export function createDigest({ deriveKey }: Pick<Vault, "deriveKey">): Digest {
  // A key object, because from bytes each digest would create a new one.
  const key = createSecretKey(deriveKey("plans"));
  const ofText = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return Object.assign((value: unknown) => ofText(canonicalText(value)), { ofText });
}
