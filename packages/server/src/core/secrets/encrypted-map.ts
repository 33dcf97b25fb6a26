import { isSecretKey, secretMask } from "@lakehelm/contract/connections";
import type { Vault } from "./vault.ts";

/** Free-form maps at rest: the map with masked secrets, and the secrets, encrypted, beside it. */
export interface SealedMaps {
  /**
   * Splits a map from a request; where it contains the mask, keeps the secret of `before`. Unchanged secrets keep their
   * ciphertext.
   */
  seal(
    map: FreeFormMap,
    before?: string | null,
  ): { readonly masked: FreeFormMap; readonly sealed: string | null };
  /** The map with its secrets, for the platform only. */
  open(masked: FreeFormMap, sealed: string | null): FreeFormMap;
}

export function createEncryptedMaps(vault: Vault): SealedMaps {
  const secretsOf = (sealed: string | null | undefined): Extracted =>
    sealed ? (JSON.parse(vault.decrypt(sealed)) as Extracted) : {};
  return {
    seal(map, before) {
      const kept = secretsOf(before);
      const { masked, secrets } = extractSecrets(map, kept);
      const paths = Object.keys(secrets);
      if (paths.length === 0) return { masked, sealed: null };
      const isSame =
        paths.length === Object.keys(kept).length && paths.every((path) => secrets[path] === kept[path]);
      return { masked, sealed: isSame && before ? before : vault.encrypt(JSON.stringify(secrets)) };
    },
    open: (masked, sealed) => restoreSecrets(masked, secretsOf(sealed)),
  };
}

export type FreeFormMap = Readonly<Record<string, unknown>>;

/** A reference names a stored secret; it is not a secret itself. A header has the scheme before it: `Bearer {{…}}`. */
const isReference = (value: string) =>
  /^(?:(?:Bearer|Basic|Token|ApiKey) )?\{\{secrets\/[^/{}]+\/[^/{}]+\}\}$/i.test(value);

/** Secret values by their path, as JSON text: `["headers","Authorization"]`. */
export type Extracted = Record<string, string>;

/**
 * Extracts the secret values of a free-form map. `kept` are the stored ones: where the mask is sent, the stored value
 * stays.
 */
export function extractSecrets(
  map: FreeFormMap,
  kept: Extracted = {},
): { masked: FreeFormMap; secrets: Extracted } {
  const secrets: Extracted = {};
  /** The current path: one mutable list, because secrets are few and values many. */
  const path: (string | number)[] = [];

  function visit(value: unknown, secret: boolean): unknown {
    if (value !== null && typeof value === "object") return Array.isArray(value) ? list(value) : tree(value);
    if (!secret || typeof value !== "string" || value === "" || isReference(value)) return value;
    const location = JSON.stringify(path);
    const actual = value === secretMask ? kept[location] : value;
    if (actual !== undefined) secrets[location] = actual;
    return secretMask;
  }

  function at(step: string | number, value: unknown, secret: boolean): unknown {
    path.push(step);
    const masked = visit(value, secret);
    path.pop();
    return masked;
  }

  const list = (values: readonly unknown[]) => values.map((item, index) => at(index, item, false));
  const tree = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, item]) => [key, at(key, item, isSecretKey(key))]));

  return { masked: tree(map), secrets };
}

/** The map with its secret values restored, for the platform only. */
export function restoreSecrets(masked: FreeFormMap, secrets: Extracted): FreeFormMap {
  function visit(value: unknown, path: (string | number)[]): unknown {
    if (Array.isArray(value)) return value.map((item, at) => visit(item, [...path, at]));
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]),
      );
    }
    return secrets[JSON.stringify(path)] ?? value;
  }
  return visit(masked, []) as FreeFormMap;
}
