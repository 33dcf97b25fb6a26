export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a raw value is an object with this own key, even if its value is null. */
export function has(value: unknown, key: string): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, key);
}

/** Assigning to `__proto__` would set the prototype. Here it is an ordinary key. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

const keyOrder = Symbol("keys in the order of the request");

/** JavaScript lists keys such as "0" first, but errors are in the order of the request. */
export function recordKeyOrder(object: JsonObject, keys: readonly string[]): void {
  Object.defineProperty(object, keyOrder, { value: keys });
}

export function keysInOrder(object: JsonObject & { [keyOrder]?: readonly string[] }): readonly string[] {
  return object[keyOrder] ?? Object.keys(object);
}
