import {
  contextBelow,
  hasMaskedPart,
  isAddress,
  isDestinationKey,
  isSecretKey,
  maskText,
  maskUrls,
  type SecretContext,
  secretMask,
} from "@lakehelm/contract/connections";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../errors.ts";
import { createContentIds, createItemMatch } from "./item-match.ts";
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
  /** A stored map by the current rules: a value that was stored in the clear may be a secret now. */
  reseal(stored: StoredMap, options?: ExtractOptions): StoredMap;
  /** The map with its secrets, for the platform only. */
  open(masked: FreeFormMap, sealed: string | null): FreeFormMap;
}

/** A map as it is stored. */
export interface StoredMap {
  readonly masked: FreeFormMap;
  readonly sealed: string | null;
}

interface SealOptions extends ExtractOptions {
  /** What else decides where the secrets of a section are sent, such as the type of a target. */
  readonly isSameDestination?: (section: readonly string[]) => boolean;
  /** The whole map is one section: every value of it belongs to one destination. */
  readonly isOneSection?: boolean;
  /** Sections with parameters of all kinds: only what looks like an address belongs to the destination. */
  readonly parameterSections?: readonly string[];
  /** Whether the secret at this path is ever sent anywhere. */
  readonly isSent?: (path: SecretPath) => boolean;
  /** How a path is called in errors. */
  readonly nameOf?: (path: SecretPath) => string;
}

export interface ExtractOptions {
  /**
   * Keys of maps whose keys are names that a caller chose, such as those of tasks. Each entry is a section of its own: its
   * secrets belong to its own destination. Otherwise each key of the map is a section.
   */
  readonly keyed?: readonly string[];
  /** Whether the kind's schema declares the value at this path as a credential. */
  readonly isCredential?: (path: SecretPath) => boolean;
  /** The stored map, masked: items of its lists are found again by their identity, not by their position. */
  readonly before?: FreeFormMap | undefined;
  /**
   * For maps whose secrets are dropped or refused: in the query of a URL, masks only values whose name marks them as secret.
   */
  readonly onlyNamed?: boolean;
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

const childOf = (value: unknown, key: string | number | undefined): unknown =>
  typeof value === "object" && value !== null && key !== undefined
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

const valueAt = (map: unknown, path: SecretPath): unknown => path.reduce<unknown>(childOf, map);

/** Everything of a masked config that decides where its credentials are sent, as comparable text. */
export const destinationText = (value: unknown): string =>
  encodeJson(destinationOf(value, isDestinationKey, "plain", new WeakMap()) ?? null);

/** Destinations as numbers, equal for equal ones. The order of a list does not decide where a secret is sent. */
function createDestinations(isPart: IsDestination): (value: unknown) => number {
  const known = new WeakMap<object, unknown>();
  const contentOf = createContentIds("unordered");
  return (value) => contentOf(destinationOf(value, isPart, "plain", known) ?? null);
}

type IsDestination = (key: string, value: unknown) => boolean;

function destinationOf(
  value: unknown,
  isPart: IsDestination,
  context: SecretContext,
  known: WeakMap<object, unknown>,
): unknown {
  if (typeof value !== "object" || value === null) {
    return context === "secret" || value === null || value === "" ? undefined : value;
  }
  if (!known.has(value)) known.set(value, destinationOfParts(value, isPart, context, known));
  return known.get(value);
}

function destinationOfParts(
  value: object,
  isPart: IsDestination,
  context: SecretContext,
  known: WeakMap<object, unknown>,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map(
      (item, at) => destinationOf(item, isPart, itemContext(value, at, context), known) ?? null,
    );
    return items.every((item) => item === null) ? undefined : items;
  }
  const named = nameOfPair(value);
  const entries = Object.entries(value)
    .filter(([key, item]) => isPart(key, item))
    .map(([key, item]) => {
      return [key, destinationOf(item, isPart, entryContext(key, item, named, context), known)] as const;
    })
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export type FreeFormMap = Readonly<Record<string, unknown>>;

/** A reference names a stored secret; it is not a secret itself. A header has the scheme before it: `Bearer {{…}}`. */
const isReference = (value: string) =>
  /^(?:(?:Bearer|Basic|Token|ApiKey) )?\{\{secrets\/[^/{}]+\/[^/{}]+\}\}$/i.test(value);

/** Secret values by their path, as JSON text: `["headers","Authorization"]`. */
export type Extracted = Record<string, string | number | bigint>;

type SecretPath = readonly (string | number)[];

const pathText = (path: SecretPath) => path.join(".");

/** Longer texts are not searched for JSON. */
const longestJson = 65_536;

/**
 * Extracts the secret values of a free-form map. `kept` are the stored ones: where the mask is sent, the stored value
 * stays. `keptPaths` says where that was, `formerPaths` where it was stored before, `unknownPaths` where nothing was.
 */
export function extractSecrets(
  map: FreeFormMap,
  kept: Extracted = {},
  { keyed = [], isCredential, onlyNamed = false, before }: ExtractOptions = {},
): {
  masked: FreeFormMap;
  secrets: Extracted;
  keptPaths: SecretPath[];
  formerPaths: SecretPath[];
  unknownPaths: SecretPath[];
} {
  const secrets: Extracted = {};
  const keptPaths: SecretPath[] = [];
  const formerPaths: SecretPath[] = [];
  const unknownPaths: SecretPath[] = [];
  /** The current path: one mutable list, because secrets are few and values many. */
  const path: (string | number)[] = [];
  /** Where the current value was before. */
  const former: (string | number)[] = [];
  /** The stored value there. */
  let formerValue: unknown = before;
  /** How many steps of the path lead into an item of a list that was not there before. */
  let unknownItems = 0;
  const formerItems = before && Object.keys(kept).length > 0 ? createItemMatch() : undefined;

  function visit(value: unknown, context: SecretContext): unknown {
    if (typeof value === "string") return text(value, context);
    if (value !== null && typeof value === "object") {
      return Array.isArray(value) ? list(value, context) : tree(value, context);
    }
    if (context === "secret" && (typeof value === "number" || typeof value === "bigint") && !isCount()) {
      secrets[JSON.stringify(path)] = value;
      return secretMask;
    }
    return value;
  }

  /** `tokens: 500` is a number of tokens. */
  const isCount = () => /tokens$/i.test(String(path.at(-1)));

  function text(value: string, declared: SecretContext): string {
    if (value === "") return value;
    const context = declared === "plain" && isCredential?.(path) ? "secret" : declared;
    if (value.includes(secretMask)) {
      const stored = unknownItems > 0 ? undefined : kept[JSON.stringify(former)];
      if (stored !== undefined && shownText(stored, context, onlyNamed) === value) {
        secrets[JSON.stringify(path)] = stored;
        keptPaths.push([...path]);
        formerPaths.push([...former]);
        return value;
      }
      if (isMask(value, context) || hasMaskedPart(value)) {
        unknownPaths.push([...path]);
        return value;
      }
    }
    const shown = shownText(value, context, onlyNamed);
    if (shown !== value) secrets[JSON.stringify(path)] = value;
    return shown;
  }

  function at(
    step: string | number,
    value: unknown,
    context: SecretContext,
    formerStep: string | number | null = step,
  ): unknown {
    const above = formerValue;
    path.push(step);
    former.push(formerStep ?? step);
    if (formerStep === null) unknownItems++;
    formerValue = childOf(above, formerStep ?? undefined);
    const masked = visit(value, context);
    path.pop();
    former.pop();
    if (formerStep === null) unknownItems--;
    formerValue = above;
    return masked;
  }

  function list(values: readonly unknown[], context: SecretContext): unknown[] {
    const positions = formerItems?.(values, formerValue);
    return values.map((item, index) =>
      at(index, item, itemContext(values, index, context), positions ? (positions[index] ?? null) : index),
    );
  }

  function tree(values: object, context: SecretContext): FreeFormMap {
    const named = nameOfPair(values);
    const isKeyed = path.length === 1 && keyed.includes(String(path[0]));
    return Object.fromEntries(
      Object.entries(values).map(([key, item]) => [
        key,
        at(key, item, isKeyed ? "plain" : entryContext(key, item, named, context)),
      ]),
    );
  }

  return { masked: tree(map, "plain"), secrets, keptPaths, formerPaths, unknownPaths };
}

/** `{"name": "Cookie", "value": "…"}`: the name decides about the value. */
function nameOfPair(values: object): string | undefined {
  if (!Object.hasOwn(values, "value")) return undefined;
  const { name, key, header } = values as Readonly<Record<string, unknown>>;
  return [name, key, header].find((one) => typeof one === "string");
}

const entryContext = (key: string, item: unknown, named: string | undefined, context: SecretContext) =>
  named === undefined || (key !== "value" && item !== named)
    ? contextBelow(key, item, context)
    : key === "value"
      ? contextBelow(named, item, context)
      : "plain";

/** `["Cookie", "…"]` and `["--password", "…"]`: the text before an item may name it. */
function itemContext(values: readonly unknown[], index: number, context: SecretContext): SecretContext {
  const before = values[index - 1];
  if (typeof before !== "string" || context === "names") return context;
  const isPair = values.length === 2 && (context === "headers" || isSecretKey(before));
  if (isPair) return contextBelow(before, values[index], context);
  return before.startsWith("-") && isSecretKey(before) ? "secret" : context;
}

/** The mask alone, or behind the scheme of a header: `Basic ********`. */
const isMask = (value: string, context: SecretContext): boolean =>
  value.trim() === secretMask || (context === "secret" && /^\s*\w+ \*{8}\s*$/.test(value));

/** How a value is shown: a secret as the mask, any other text with the secrets in it masked. */
function shownText(value: string | number | bigint, context: SecretContext, onlyNamed: boolean): string {
  if (typeof value !== "string") return secretMask;
  if (context === "secret") return isReference(value) ? value : secretMask;
  if (context === "names") return value.includes("://") ? maskUrls(value, onlyNamed) : value;
  if (context === "headers") return isPublicLine(value) ? value : secretMask;
  return maskJson(value, onlyNamed) ?? maskText(value, onlyNamed);
}

/** An item of a list of headers: `Accept: text/csv`, or the name alone. */
const isPublicLine = (line: string) =>
  isReference(line) ||
  /^[\w-]{1,64}$/.test(line) ||
  contextBelow(line.split(":", 1)[0] ?? "", line, "headers") === "plain";

/** A JSON text, such as the body of a request, with its secrets masked; undefined if it is not JSON or has none. */
function maskJson(value: string, onlyNamed: boolean): string | undefined {
  if (!/^\s*[[{]/.test(value) || value.length > longestJson || value.startsWith("{{")) return undefined;
  const read = decodeJson(value);
  if (!("value" in read) || typeof read.value !== "object" || read.value === null) return undefined;
  const { masked, secrets } = extractSecrets({ value: read.value }, {}, { onlyNamed });
  return Object.keys(secrets).length === 0 ? undefined : encodeJson(masked.value);
}

/** The texts that must not appear anywhere: the secrets of a map, and the secrets inside its URLs and other texts. */
export function secretTextsIn(map: FreeFormMap, options?: ExtractOptions): string[] {
  const { masked, secrets } = extractSecrets(map, {}, options);
  return Object.entries(secrets).flatMap(([location, secret]) => {
    const whole = String(secret);
    const shown = valueAt(masked, JSON.parse(location) as SecretPath);
    return typeof shown === "string" && shown !== secretMask
      ? [whole, ...maskedParts(whole, shown)]
      : [whole];
  });
}

/** What the mask replaced in a text. */
function maskedParts(whole: string, shown: string): string[] {
  const [first = "", ...rest] = shown.split(secretMask);
  const parts: string[] = [];
  let start = first.length;
  for (const segment of rest) {
    const end = segment === "" ? whole.length : whole.indexOf(segment, start);
    if (end < 0) break;
    parts.push(whole.slice(start, end));
    start = end + segment.length;
  }
  return parts.filter((part) => part !== "");
}

/** Secrets by the steps of their paths. */
interface SecretTree {
  secret?: Extracted[string];
  readonly below: Map<string | number, SecretTree>;
}

/** The map with its secret values restored, for the platform only. What has no secret is not copied. */
export function restoreSecrets(masked: FreeFormMap, secrets: Extracted): FreeFormMap {
  const root: SecretTree = { below: new Map() };
  for (const [location, secret] of Object.entries(secrets)) {
    let at = root;
    for (const step of JSON.parse(location) as SecretPath)
      at = at.below.getOrInsertComputed(step, () => ({ below: new Map() }));
    at.secret = secret;
  }
  return restored(masked, root) as FreeFormMap;
}

function restored(value: unknown, { secret, below }: SecretTree): unknown {
  if (value === null || typeof value !== "object") return secret ?? value;
  if (below.size === 0) return value;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<number, unknown>)
    : { ...value };
  for (const [step, tree] of below) {
    const isThere = Array.isArray(value)
      ? typeof step === "number" && step < value.length
      : typeof step === "string" && Object.hasOwn(value, step);
    if (isThere) copy[step] = restored(copy[step], tree);
  }
  return copy;
}
