/** The values of an `in` list as parameters `in0`, `in1`, … */
export type ListParameters<Value = string> = Record<`in${number}`, Value>;

/**
 * The parameters of an `in` list. The last value is repeated up to a power of two, so that a few prepared statements
 * serve lists of any length.
 */
export function listParameters<Value extends string | number>(
  values: readonly Value[],
): { size: number; parameters: ListParameters<Value> } {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  const last = values.at(-1) ?? ("" as Value);
  const parameters = Array.from({ length: size }, (_, n) => [`in${n}`, values[n] ?? last] as const);
  return { size, parameters: Object.fromEntries(parameters) };
}

/** The slots of an `in` list of this size. */
export const listSlots = <Value>(v: ListParameters<Value>, size: number): Value[] =>
  Array.from({ length: size }, (_, n) => v[`in${n}`] as Value);
