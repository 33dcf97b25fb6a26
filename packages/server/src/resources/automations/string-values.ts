import type { ValidationFinding } from "./validation-finding.ts";

/** Every string in a tree, with its path. */
export function* stringsIn(
  value: unknown,
  path: ValidationFinding["path"] = [],
): Generator<[string, ValidationFinding["path"]]> {
  if (typeof value === "string") yield [value, path];
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value))
    yield* stringsIn(item, [...path, isList ? Number(key) : key]);
}
