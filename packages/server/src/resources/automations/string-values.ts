import type { ValidationFinding } from "./validation-finding.ts";

/** Every string in a tree, with its path. */
export function* textsIn(
  tree: unknown,
  place: ValidationFinding["path"] = [],
): Generator<[string, ValidationFinding["path"]]> {
  if (typeof tree === "string") yield [tree, place];
  if (typeof tree !== "object" || tree === null) return;
  const isList = Array.isArray(tree);
  for (const [key, item] of Object.entries(tree))
    yield* textsIn(item, [...place, isList ? Number(key) : key]);
}
