import { isDestinationKey, type SecretContext } from "@lakehelm/contract/connections";
import { encodeJson } from "@lakehelm/contract/schema";
import { createContentIds } from "./item-match.ts";
import { entryContext, itemContext, nameOfPair } from "./secret-context.ts";

/** Everything of a masked config that decides where its credentials are sent, as comparable text. */
export const destinationText = (value: unknown): string =>
  encodeJson(destinationOf(value, isDestinationKey, "plain", new WeakMap()) ?? null);

/**
 * Destinations as numbers: equal destinations have the same number. The order of a list does not decide where a secret
 * is sent.
 */
export function createDestinations(isPart: IsDestination): (value: unknown) => number {
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
