import { createHash } from "node:crypto";
import { unauthorized } from "../../core/errors.ts";
import { equalInConstantTime } from "../../core/secrets/vault.ts";
import type { System } from "../../core/system.ts";

const lifetimeMs = 15 * 60_000;

export interface SignInCodes {
  /** A new code. It replaces an earlier code that was not used. */
  create(): string;
  /** Throws unless the code is the last one, not expired, and used for the first time. */
  redeem(code: string): void;
}

/** Codes that sign in once. They are kept in memory, as hashes: a restart ends them. */
export function createSignInCodes({
  monotonicMs,
  randomBytes,
}: Pick<System, "monotonicMs" | "randomBytes">): SignInCodes {
  let current: { readonly hash: Buffer; readonly expiresMs: number } | undefined;
  return {
    create() {
      const code = randomBytes(24).toString("base64url");
      current = { hash: hashOf(code), expiresMs: monotonicMs() + lifetimeMs };
      return code;
    },
    redeem(code) {
      const isValid =
        current !== undefined &&
        equalInConstantTime(hashOf(code), current.hash) &&
        monotonicMs() < current.expiresMs;
      if (!isValid) {
        throw unauthorized(
          "This sign-in code is wrong, was used before, or has expired. Sign in with a password or a token, or restart the server for a new link.",
        );
      }
      current = undefined;
    },
  };
}

const hashOf = (code: string) => createHash("sha256").update(code).digest();
