import { createHmac, createSecretKey, hash } from "node:crypto";
import { canonicalText } from "../../core/changes/canonical-text.ts";
import type { Vault } from "../../core/secrets/vault.ts";

export const sha256 = (text: string): string => `sha256:${hash("sha256", text)}`;

/** Digests of definitions with their secrets: only with the key, because a plain hash of a password could be guessed. */
export function createDigest({ deriveKey }: Pick<Vault, "deriveKey">): (value: unknown) => string {
  // A key object: of bytes, each digest would make its own.
  const key = createSecretKey(deriveKey("plans"));
  return (value) => createHmac("sha256", key).update(canonicalText(value)).digest("base64url");
}
