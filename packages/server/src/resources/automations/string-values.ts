import type { ValidationFinding } from "./validation-finding.ts";

/** Every text in a tree, with the path to it. */
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
