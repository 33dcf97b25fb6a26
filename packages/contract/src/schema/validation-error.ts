/**
 * The path to a value in the request: `["body", "clusters", 0, "num_workers"]`. A check pushes a step before it checks
 * a nested value and pops the step afterwards, so that a valid request allocates no paths. An error copies the path.
 */
export type Loc = (string | number)[];

/** One entry of `{"detail": [...]}`. The keys are serialized in this order. */
export interface ValidationError {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/**
 * A body of a megabyte can have a million errors, so lists, maps and unknown keys are not checked further after this
 * number.
 */
export const maxErrors = 100;

export function addError(
  errors: ValidationError[],
  loc: Loc,
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): void {
  errors.push(ctx ? { type, loc: [...loc], msg, input, ctx } : { type, loc: [...loc], msg, input });
}

/** A required key or the whole body is missing. `input` is the object without it. */
export function missingField(loc: Loc, input: unknown): ValidationError {
  return { type: "missing", loc: [...loc], msg: "Field required", input };
}
