import type { AnySchema, Entry, Infer } from "./index.ts";

/** For tests: the parsed value, or the entries if there are some. */
export function outcome<S extends AnySchema>(schema: S, value: unknown): Infer<S> | { refused: Entry[] } {
  const entries: Entry[] = [];
  const parsed = schema.check(value, ["body"], entries);
  return entries.length > 0 ? { refused: entries } : parsed;
}

/** For tests: the types of the entries, in their order. */
export function refusals(schema: AnySchema, value: unknown): string[] {
  const entries: Entry[] = [];
  schema.check(value, ["body"], entries);
  return entries.map((entry) => entry.type);
}
