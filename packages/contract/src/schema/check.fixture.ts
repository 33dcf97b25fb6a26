import type { AnySchema, Infer, ValidationError } from "./index.ts";

/** The parsed value, or all errors. */
export function parseOrErrors<S extends AnySchema>(
  schema: S,
  value: unknown,
): Infer<S> | { errors: ValidationError[] } {
  const errors: ValidationError[] = [];
  const parsed = schema.check(value, ["body"], errors);
  return errors.length > 0 ? { errors } : parsed;
}

/** The types of the errors, in order. */
export function errorTypes(schema: AnySchema, value: unknown): string[] {
  const errors: ValidationError[] = [];
  schema.check(value, ["body"], errors);
  return errors.map((entry) => entry.type);
}
