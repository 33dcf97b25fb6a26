import { isAddress, isDestinationKey, secretMask } from "@lakehelm/contract/connections";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../errors.ts";
import { createDestinations } from "./destination.ts";
import { type ExtractOptions, extractSecrets } from "./secret-extraction.ts";
import { childOf, type Extracted, type FreeFormMap, pathText, type SecretPath } from "./secret-path.ts";
import { restoreSecrets } from "./secret-restoration.ts";
import type { Vault } from "./vault.ts";

/** Free-form maps at rest: the map with masked secrets, and the secrets, encrypted, beside it. */
export interface SealedMaps {
  /**
   * Splits a map from a request; where it contains the mask, keeps the secret of `before`. Throws 409 if a mask has no
   * secret behind it, or if that secret would be sent to another destination. Unchanged secrets keep their ciphertext. `open`
   * returns the map with its secrets, without decrypting them again.
   */
  seal(
    map: FreeFormMap,
    before?: StoredMap,
    options?: SealOptions,
  ): StoredMap & { readonly open: () => FreeFormMap };
  /** Masks a stored map by the current rules: a value that was stored in the clear may be a secret now. */
  reseal(stored: StoredMap, options?: ExtractOptions): StoredMap;
  /** The map with its secrets, for the platform only. */
  open(masked: FreeFormMap, sealed: string | null): FreeFormMap;
}

export interface StoredMap {
  readonly masked: FreeFormMap;
  readonly sealed: string | null;
}

interface SealOptions extends ExtractOptions {
  /**
   * Whether everything else is unchanged that decides where the secrets of a section are sent, such as the type of a
   * target.
   */
  readonly isSameDestination?: (section: readonly string[]) => boolean;
  /** The whole map is one section: every value of it belongs to one destination. */
  readonly isOneSection?: boolean;
  /** Sections with parameters of all kinds: only what looks like an address belongs to the destination. */
  readonly parameterSections?: readonly string[];
  /** Whether the secret at this path is ever sent anywhere. */
  readonly isSent?: (path: SecretPath) => boolean;
  /** How errors name a path. */
  readonly nameOf?: (path: SecretPath) => string;
}

export function createEncryptedMaps(vault: Vault): SealedMaps {
  const secretsOf = (sealed: string | null | undefined): Extracted =>
    sealed ? decodedSecrets(vault.decrypt(sealed)) : {};
  return {
    seal(map, before, options = {}) {
      const kept = secretsOf(before?.sealed);
      const { masked, secrets, keptPaths, formerPaths, unknownPaths } = extractSecrets(map, kept, {
        ...options,
        before: before?.masked,
      });
      requireKnown(unknownPaths, options);
      if (before) requireSameDestination(keptPaths, formerPaths, masked, before.masked, options);
      const paths = Object.keys(secrets);
      const open = () => restoreSecrets(masked, secrets);
      if (paths.length === 0) return { masked, sealed: null, open };
      const isSame =
        paths.length === Object.keys(kept).length && paths.every((path) => secrets[path] === kept[path]);
      return {
        masked,
        open,
        sealed: isSame && before?.sealed ? before.sealed : vault.encrypt(encodeJson(secrets)),
      };
    },
    reseal({ masked: before, sealed }, options) {
      const kept = secretsOf(sealed);
      const { masked, secrets } = extractSecrets(restoreSecrets(before, kept), kept, options);
      if (encodeJson(masked) === encodeJson(before)) return { masked: before, sealed };
      return { masked, sealed: vault.encrypt(encodeJson(secrets)) };
    },
    open: (masked, sealed) => restoreSecrets(masked, secretsOf(sealed)),
  };
}

function decodedSecrets(text: string): Extracted {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("Stored secrets are not valid JSON.");
  return read.value as Extracted;
}

function requireKnown(paths: readonly SecretPath[], { nameOf = pathText }: SealOptions): void {
  if (paths.length === 0) return;
  const names = paths.map(nameOf).join(", ");
  throw conflict(
    `${names}: the value is the mask ${secretMask}, but no secret is stored there. Send the secret itself.`,
  );
}

/** A stored secret must not be sent to another address only because a caller changed the address beside it. */
function requireSameDestination(
  paths: readonly SecretPath[],
  formerPaths: readonly SecretPath[],
  masked: FreeFormMap,
  before: FreeFormMap,
  options: SealOptions,
): void {
  const { keyed = [], isSameDestination = () => true, isOneSection = false } = options;
  const { parameterSections = [], isSent = () => true, nameOf = pathText } = options;
  const ofParameters = createDestinations(isAddress);
  const ofConfigs = createDestinations(isDestinationKey);
  const isSame = (path: SecretPath, former: SecretPath) => {
    // Each item of a list at the top is a section, like each entry of a keyed map.
    const depth = typeof path[1] === "number" || keyed.includes(String(path[0])) ? 2 : 1;
    const section = isOneSection ? 0 : depth;
    if (!isSameDestination(path.slice(0, section).map(String))) return false;
    const name = section === 0 ? "" : String(path[0]);
    const destinationOf = parameterSections.includes(name) ? ofParameters : ofConfigs;
    let value: unknown = masked;
    let valueBefore: unknown = before;
    for (let at = 0; at <= path.length; at++) {
      // Lists are compared without their order, so each item on the way must also have the same destination.
      const isCompared = at === section || (at > section && typeof path[at - 1] === "number");
      if (isCompared && destinationOf(value) !== destinationOf(valueBefore)) return false;
      value = childOf(value, path[at]);
      valueBefore = childOf(valueBefore, former[at]);
    }
    return true;
  };
  const refused = paths.filter((path, at) => isSent(path) && !isSame(path, formerPaths[at] ?? path));
  if (refused.length === 0) return;
  throw conflict(
    `The destination has changed, so a stored secret is not kept. Send it again: ${refused.map(nameOf).join(", ")}.`,
  );
}
