import type { Place } from "../problems.ts";

/** A value of a file, with its location. In a resource with an override, parts come from another file. */
export type Tree = ScalarTree | ListTree | MapTree;

export interface ScalarTree extends Place {
  readonly kind: "scalar";
  readonly value: string | number | bigint | boolean | null;
  /** For a block scalar (`|`): the first line of its text in the file, and the indentation of that text. */
  readonly block?: { readonly line: number; readonly indent: number };
}

interface ListTree extends Place {
  readonly kind: "list";
  readonly items: readonly Tree[];
}

interface MapTree extends Place {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  readonly key: Place;
  readonly value: Tree;
}

export type Path = readonly (string | number)[];

export const entryOf = (tree: Tree | undefined, key: string): Tree | undefined =>
  tree?.kind === "map" ? tree.entries.get(key)?.value : undefined;

export const textOf = (tree: Tree | undefined): string | undefined =>
  tree?.kind === "scalar" && typeof tree.value === "string" ? tree.value : undefined;

/** The location of a value. For a missing value: the location of the map or list that would contain it. */
export function placeOf(tree: Tree, path: Path): Place {
  let at: Tree = tree;
  for (const step of path) {
    const next = childOf(at, step);
    if (!next) return at;
    at = next;
  }
  return at;
}

/** The location of the last key of a path. */
export function placeOfKey(tree: Tree, path: Path): Place {
  const parent = path.slice(0, -1).reduce<Tree | undefined>((at, step) => at && childOf(at, step), tree);
  const key = parent?.kind === "map" ? parent.entries.get(String(path.at(-1)))?.key : undefined;
  return key ?? placeOf(tree, path);
}

const childOf = (tree: Tree, step: string | number): Tree | undefined =>
  tree.kind === "list"
    ? tree.items[Number(step)]
    : tree.kind === "map"
      ? tree.entries.get(String(step))?.value
      : undefined;

/** Maps are merged; other values are replaced. */
export function merged(base: Tree, override: Tree): Tree {
  if (base.kind !== "map" || override.kind !== "map") return override;
  const entries = new Map(base.entries);
  for (const [name, { key, value }] of override.entries) {
    const known = entries.get(name);
    entries.set(name, { key, value: known ? merged(known.value, value) : value });
  }
  return { ...base, entries };
}

/** The plain value, unresolved. */
export function plain(tree: Tree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(plain);
  return Object.fromEntries([...tree.entries].map(([name, { value }]) => [name, plain(value)]));
}
