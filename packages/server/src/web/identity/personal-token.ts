import { createHmac } from "node:crypto";
import type { Vault } from "../../core/secrets/vault.ts";
import { keyOf } from "../../core/store/collection.ts";

/** The prefix lets people and secret scanners recognise a token. */
const prefix = "lhp_";

export interface PersonalTokens {
  make(): string;
  /** The key of the token's row. Only this is stored, never the token. */
  key(token: string): string;
}

export function personalTokens(vault: Vault, randomBytes: (size: number) => Buffer): PersonalTokens {
  const secret = vault.deriveKey("personal access tokens");
  return {
    make: () => prefix + randomBytes(32).toString("base64url"),
    key: (token) => keyOf(createHmac("sha256", secret).update(token).digest("base64url")),
  };
}
