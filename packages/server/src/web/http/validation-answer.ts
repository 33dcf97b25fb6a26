import { encodeJson, maxErrors, type ValidationError } from "@lakehelm/contract/schema";
import { shortened } from "@lakehelm/contract/text";

/** Without limits, a body of 1 MiB had an answer of 76 MB: many errors repeat the same input. docs/reference/contract.md has them. */
const maxInputBytes = 64 * 1024;
const maxTextLength = 1_000;
/** The limits in the log. */
const maxLocations = 10;
const maxLocationLength = 200;

/**
 * The errors for the answer. `input` is left out of errors that no longer fit, the list ends after 100 errors, and long
 * texts are shortened. Sizes are measured before anything is printed.
 */
export function limitedErrors(errors: readonly ValidationError[]): Partial<ValidationError>[] {
  let left = maxInputBytes;
  /** Every missing field of an object has that object as its input: it is measured once. */
  const sizes = new Map<unknown, number>();
  const sizeOf = (input: unknown) => {
    const size = sizes.get(input) ?? jsonSize(input, left);
    sizes.set(input, size);
    return size;
  };
  return errors.slice(0, maxErrors).map(({ type, loc, msg, input, ctx }) => {
    const size = sizeOf(input);
    const fits = size <= left;
    if (fits) left -= size;
    return {
      type,
      loc: loc.map((step) => (typeof step === "string" ? shortened(step, maxLocationLength) : step)),
      msg: shortened(msg, maxTextLength),
      ...(fits && { input }),
      ...(ctx && { ctx: jsonSize(ctx, maxTextLength) <= maxTextLength ? ctx : limitedContext(ctx) }),
    };
  });
}

const limitedContext = (ctx: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(ctx).map(([key, value]) => [
      key,
      typeof value === "string"
        ? shortened(value, maxTextLength)
        : jsonSize(value, maxTextLength) <= maxTextLength
          ? value
          : {},
    ]),
  );

/** What the log shows of a refused request: types and locations, never the input. */
export const errorLocations = (errors: readonly ValidationError[]): string[] =>
  errors
    .slice(0, maxLocations)
    .map(({ type, loc }) =>
      [type, ...loc].map((step) => shortened(String(step), maxLocationLength)).join(" "),
    );

/** The bytes of a value as JSON. Counting stops above `most`, so a large value costs no more than a small one. */
function jsonSize(value: unknown, most: number): number {
  if (typeof value === "string") {
    return value.length > most ? value.length : Buffer.byteLength(JSON.stringify(value));
  }
  if (typeof value !== "object" || value === null) return encodeJson(value)?.length ?? 0;
  let size = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size <= most; at++) size += jsonSize(value[at], most - size) + 1;
    return size;
  }
  for (const key in value) {
    if (size > most) return size;
    size += jsonSize(key, most - size) + 2;
    size += jsonSize((value as Record<string, unknown>)[key], most - size);
  }
  return size;
}
