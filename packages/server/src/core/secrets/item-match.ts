import { secretMask } from "@lakehelm/contract/connections";

/** For each item of a list, its position in the list before; undefined if it was not there. */
type ItemMatch = (values: readonly unknown[], before: unknown) => (number | undefined)[];

/** Keys that name an item, the first one that it has. */
const nameKeys = ["id", "name", "key", "label"];

/**
 * Finds the items of a list again after a change: by their masked content, else by the key that names them, else by
 * their position if only one item was changed. An item that could be one of several former items matches none of them:
 * a secret must never pass to another item.
 */
export function createItemMatch(): ItemMatch {
  const contentOf = createContentIds();
  return (values, before) => {
    if (!Array.isArray(before)) return values.map(() => undefined);
    const positions: (number | undefined)[] = values.map(() => undefined);
    const taken = new Set<number>();
    const match = (identity: (list: readonly unknown[], at: number) => string | undefined) => {
      const isOpen = (list: readonly unknown[]) => (at: number) =>
        list === before ? !taken.has(at) : positions[at] === undefined;
      const former = grouped(before, isOpen(before), identity);
      for (const [id, found] of grouped(values, isOpen(values), identity)) {
        const same = former.get(id) ?? [];
        // Items that look alike keep their order, unless one was added or removed.
        if (same.length !== found.length) continue;
        for (const [n, at] of found.entries()) {
          positions[at] = same[n];
          taken.add(same[n] as number);
        }
      }
    };
    match((list, at) => `${contentOf(namedBy(list, at))} ${contentOf(list[at])}`);
    match((list, at) => nameOf(list[at]));
    const open = positions.flatMap((position, at) => (position === undefined ? [at] : []));
    const [at] = open;
    if (open.length === 1 && at !== undefined && values.length === before.length && !taken.has(at)) {
      if (isEdited(values[at], before[at])) positions[at] = at;
    }
    return positions;
  };
}

/** An item under another name is another item. */
const isEdited = (value: unknown, before: unknown): boolean =>
  typeof value === "object" && typeof before === "object" && nameOf(value) === nameOf(before);

function grouped(
  list: readonly unknown[],
  isOpen: (at: number) => boolean,
  identity: (list: readonly unknown[], at: number) => string | undefined,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let at = 0; at < list.length; at++) {
    const id = isOpen(at) ? identity(list, at) : undefined;
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(at);
    else groups.set(id, [at]);
  }
  return groups;
}

function nameOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const fields = item as Readonly<Record<string, unknown>>;
  const key = nameKeys.find((one) => typeof fields[one] === "string" || typeof fields[one] === "number");
  return key && JSON.stringify([key, fields[key]]);
}

/** `["--password", "…"]`: the text before an item names it. */
function namedBy(list: readonly unknown[], at: number): unknown {
  const before = list[at - 1];
  const isName =
    typeof before === "string" &&
    (before.startsWith("-") || (list.length === 2 && !before.includes(secretMask)));
  return isName && typeof list[at] === "string" ? before : null;
}

/** A number for each value; equal values have the same number. Each part of a tree is read once, however deep it is. */
export function createContentIds(lists: "ordered" | "unordered" = "ordered"): (value: unknown) => number {
  const ids = new Map<string, number>();
  const known = new WeakMap<object, number>();
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    return id;
  };
  const inOrder = (parts: number[]) => (lists === "ordered" ? parts : parts.sort((a, b) => a - b));

  function contentOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return idOf(`${typeof value} ${String(value)}`);
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const parts = Array.isArray(value)
      ? inOrder(value.map(contentOf))
      : Object.entries(value)
          .map(([key, item]) => `${contentOf(key)}:${contentOf(item)}`)
          .sort();
    const id = idOf(`${Array.isArray(value) ? "[" : "{"}${parts.join(",")}`);
    known.set(value, id);
    return id;
  }
  return contentOf;
}
