import { type Extracted, extractSecrets, type FreeFormMap, restoreSecrets } from "./mask.ts";
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
