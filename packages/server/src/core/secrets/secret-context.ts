import { contextBelow, isSecretKey, type SecretContext } from "@lakehelm/contract/connections";

/** `{"name": "Cookie", "value": "…"}`: the name decides about the value. */
export function nameOfPair(values: object): string | undefined {
  if (!Object.hasOwn(values, "value")) return undefined;
  const { name, key, header } = values as Readonly<Record<string, unknown>>;
  return [name, key, header].find((one) => typeof one === "string");
}

export const entryContext = (
  key: string,
  item: unknown,
  named: string | undefined,
  context: SecretContext,
) =>
  named === undefined || (key !== "value" && item !== named)
    ? contextBelow(key, item, context)
    : key === "value"
      ? contextBelow(named, item, context)
      : "plain";

/** `["Cookie", "…"]` and `["--password", "…"]`: the text before an item may name it. */
export function itemContext(
  values: readonly unknown[],
  index: number,
  context: SecretContext,
): SecretContext {
  const before = values[index - 1];
  if (typeof before !== "string" || context === "names") return context;
  const isPair = values.length === 2 && (context === "headers" || isSecretKey(before));
  if (isPair) return contextBelow(before, values[index], context);
  return before.startsWith("-") && isSecretKey(before) ? "secret" : context;
}
