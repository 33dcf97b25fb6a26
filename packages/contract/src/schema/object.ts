export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a raw value is an object with that key of its own, even null. */
export function has(value: unknown, key: string): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, key);
}

/** Assigning to `__proto__` would set the prototype; here it is a key like any other. */
export function put(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

const sentOrder = Symbol("keys in the order they were sent");

/** JavaScript lists keys such as "0" first, but errors are reported in the order of the request. */
export function rememberOrder(object: JsonObject, keys: readonly string[]): void {
  Object.defineProperty(object, sentOrder, { value: keys });
}

export function keysAsSent(object: JsonObject & { [sentOrder]?: readonly string[] }): readonly string[] {
  return object[sentOrder] ?? Object.keys(object);
}
