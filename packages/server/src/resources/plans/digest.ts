import { createHmac, hash } from "node:crypto";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Vault } from "../../core/secrets/vault.ts";

/** The same text for values that mean the same: keys are sorted, and null counts as absent. */
export const canonicalText = (value: unknown): string => encodeJson(sorted(value ?? null));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Numbers beyond those of JavaScript are objects of their own.
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

export const sha256 = (text: string): string => `sha256:${hash("sha256", text)}`;

/** Digests of definitions with their secrets: only with the key, because a plain hash of a password could be guessed. */
export function createDigest({ deriveKey }: Pick<Vault, "deriveKey">): (value: unknown) => string {
  const key = deriveKey("plans");
  return (value) => createHmac("sha256", key).update(canonicalText(value)).digest("base64url");
}
