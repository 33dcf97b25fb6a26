import type { PlanChange } from "@lakehelm/contract";
import { canonicalText } from "./canonical-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A document for comparisons: `open` has its secrets in plain text, `masked` is what callers see. */
interface Comparable {
  readonly open: Fields;
  readonly masked: Fields;
}

/** A change, and whether the desired value is a secret in plain text. */
export interface FieldChange extends PlanChange {
  readonly isPlainSecret: boolean;
}

const maxChanges = 500;
/** The fields that identify an item of a list, the likeliest first. */
const identities = ["target_name", "name", "path", "key"] as const;

/** A value for comparisons: `open` has its secrets in plain text, `masked` is what callers see. */
interface Value {
  readonly open: unknown;
  readonly masked: unknown;
}
const none: Value = { open: undefined, masked: undefined };

/** What differs between two definitions, field by field. Secrets are compared, and shown as masks. */
export function changesBetween(before: Comparable | undefined, after: Comparable | undefined): FieldChange[] {
  const changes: FieldChange[] = [];
  if (!before && after) {
    for (const key of keysOf(after.open)) add(changes, key, none, part(after, key));
    return changes;
  }
  compare(changes, "", before ?? none, after ?? none);
  return changes;
}

function compare(changes: FieldChange[], path: string, before: Value, after: Value): void {
  // Only values that are not maps are compared as text, so that each part of a document is read once, however deep it
  // is.
  if (changes.length >= maxChanges) return;
  if (isMap(before.open) && isMap(after.open)) {
    for (const key of keysOf({ ...before.open, ...after.open })) {
      compare(changes, path === "" ? key : `${path}.${key}`, part(before, key), part(after, key));
    }
    return;
  }
  const identity = identityOf(before.open, after.open);
  if (identity === undefined) {
    add(changes, path, before, after);
    return;
  }
  const [had, has] = [itemsOf(before, identity), itemsOf(after, identity)];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    compare(changes, `${path}[${key}]`, had.get(key) ?? none, has.get(key) ?? none);
  }
  const order = [...has.keys()];
  const former = [...had.keys()].filter((key) => has.has(key));
  if (encoded(former) !== encoded(order.filter((key) => had.has(key)))) {
    add(changes, `${path} (order)`, plain([...had.keys()]), plain(order));
  }
}

function add(changes: FieldChange[], path: string, before: Value, after: Value): void {
  if (changes.length >= maxChanges || isSame(before.open, after.open)) return;
  changes.push({
    path,
    before: before.masked ?? null,
    after: after.masked ?? null,
    sensitive: isHidden(before) || isHidden(after),
    isPlainSecret: isHidden(after),
  });
}

/** Most values did not change, and many are the same object before and after: those need no canonical text. */
const isSame = (one: unknown, other: unknown) => {
  if (one === other) return true;
  const [isNone, isOtherNone] = [one ?? null, other ?? null].map((value) => value === null);
  return isNone || isOtherNone ? isNone === isOtherNone : canonicalText(one) === canonicalText(other);
};
const isHidden = ({ open, masked }: Value) => !isSame(open, masked);
const plain = (value: unknown): Value => ({ open: value, masked: value });
const encoded = (keys: readonly string[]) => JSON.stringify(keys);
const isMap = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const keysOf = (map: Fields) => Object.keys(map).sort();
const valueAt = (value: unknown, key: string) =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
const part = ({ open, masked }: Value, key: string): Value => ({
  open: valueAt(open, key),
  masked: valueAt(masked, key),
});

/** The field that all items of both lists have, with a different text in each item. */
function identityOf(before: unknown, after: unknown): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return identities.find((key) =>
    [before, after].every((list: readonly unknown[]) => {
      const found = new Set(list.map((item) => valueAt(item, key)).filter((id) => typeof id === "string"));
      return found.size === list.length;
    }),
  );
}

function itemsOf({ open, masked }: Value, identity: string): Map<string, Value> {
  const items = (open as readonly unknown[]).map((item, at): [string, Value] => [
    String(valueAt(item, identity)),
    { open: item, masked: (masked as readonly unknown[])[at] },
  ]);
  return new Map(items);
}
