/**
 * Where in the request a value stands, as `["body", "clusters", 0, "num_workers"]`. A check pushes a step before
 * it looks inside and pops it afterwards, so that a request without errors builds no paths; an entry keeps a copy.
 */
export type Loc = (string | number)[];

/** One refusal in `{"detail": [...]}`; keys are written in this order. */
export interface Entry {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

export function refuse(
  entries: Entry[],
  loc: Loc,
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): void {
  entries.push(ctx ? { type, loc: [...loc], msg, input, ctx } : { type, loc: [...loc], msg, input });
}

/** A required key, or the whole body, is absent; `input` is what lacks it. */
export function missing(loc: Loc, input: unknown): Entry {
  return { type: "missing", loc: [...loc], msg: "Field required", input };
}
