import {
  contextBelow,
  hasMaskedPart,
  maskText,
  maskUrls,
  type SecretContext,
  secretMask,
} from "@lakehelm/contract/connections";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { createItemMatch } from "./item-match.ts";
import { entryContext, itemContext, nameOfPair } from "./secret-context.ts";
import { childOf, type Extracted, type FreeFormMap, type SecretPath, valueAt } from "./secret-path.ts";

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

/** A reference names a stored secret; it is not a secret itself. A header has the scheme before it: `Bearer {{…}}`. */
const isReference = (value: string) =>
  /^(?:(?:Bearer|Basic|Token|ApiKey) )?\{\{secrets\/[^/{}]+\/[^/{}]+\}\}$/i.test(value);

/** Longer texts are not searched for JSON. */
const longestJson = 65_536;

/**
 * Extracts the secret values of a free-form map. `kept` are the stored secrets: where a caller sends the mask, the
 * stored secret stays. `keptPaths` are the paths of these secrets, `formerPaths` their paths in the stored map, and
 * `unknownPaths` the paths of masks without a stored secret.
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
  /** The path of the current value in the stored map. */
  const former: (string | number)[] = [];
  /** The stored value at that path. */
  let formerValue: unknown = before;
  /** The number of steps of the path that lead into a list item that was not there before. */
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

  // Parts without a secret are not copied: they are most of a large map, and comparing them with the masked map then
  // takes no time.
  function list(values: readonly unknown[], context: SecretContext): readonly unknown[] {
    const positions = formerItems?.(values, formerValue);
    let masked: unknown[] | undefined;
    for (const [index, item] of values.entries()) {
      const formerStep = positions ? (positions[index] ?? null) : index;
      const shown = at(index, item, itemContext(values, index, context), formerStep);
      if (shown === item) continue;
      masked ??= [...values];
      masked[index] = shown;
    }
    return masked ?? values;
  }

  function tree(values: object, context: SecretContext): FreeFormMap {
    const named = nameOfPair(values);
    const isKeyed = path.length === 1 && keyed.includes(String(path[0]));
    let masked: Record<string, unknown> | undefined;
    for (const [key, item] of Object.entries(values)) {
      const shown = at(key, item, isKeyed ? "plain" : entryContext(key, item, named, context));
      if (shown === item) continue;
      masked ??= { ...values };
      masked[key] = shown;
    }
    return masked ?? (values as FreeFormMap);
  }

  return { masked: tree(map, "plain"), secrets, keptPaths, formerPaths, unknownPaths };
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
