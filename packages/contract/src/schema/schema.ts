import { addError, type Loc, type ValidationError } from "./validation-error.ts";

export type JsonSchema = { [keyword: string]: unknown };
/** The named schemas so far: `components.schemas` of the OpenAPI document. */
export type Refs = Map<string, JsonSchema>;
/** Whether a model requires a key, allows it to be absent, or adds its default. */
export type FieldPresence = "required" | "optional" | "defaulted";

/** The parsed type: an optional key is `k?: T`, and a defaulted key is always present. */
export type Infer<S extends AnySchema> = S["output"];
/** The type that a client may send: optional and defaulted keys are `k?: T`. */
export type Input<S extends AnySchema> = S["input"];
export type AnySchema = Schema<unknown, unknown, FieldPresence>;

/** When a part of the API was replaced, when it stops working, and where to read about its replacement. */
export interface Deprecation {
  /** A day in UTC, such as `2027-01-31`. */
  readonly since: string;
  /** The day on which it stops working. It still works on the day before. */
  readonly sunset: string;
  /** A URL. */
  readonly link: string;
}

/** Validates a value with Pydantic v2's lax coercions and prints itself as JSON Schema. */
export abstract class Schema<Out, In = Out, P extends FieldPresence = "required"> {
  /** Only types, for `Infer` and `Input`: the properties do not exist. */
  declare readonly output: Out;
  declare readonly input: In;
  readonly presence: P;
  readonly fallback: unknown;
  /** The deprecation of a field or parameter. */
  readonly deprecation: Deprecation | undefined;

  constructor(presence: P, fallback?: unknown, deprecation?: Deprecation) {
    this.presence = presence;
    this.fallback = fallback;
    this.deprecation = deprecation;
  }

  /** Appends to `errors`. The returned value is valid only if nothing was appended. */
  abstract check(value: unknown, loc: Loc, errors: ValidationError[]): Out;
  abstract jsonSchema(refs: Refs): JsonSchema;

  /** The key may be absent; the parsed value then lacks it, too. */
  optional(): Schema<Out, In, "optional"> {
    return new AnnotatedSchema<Out, In, "optional">(this, "optional", undefined, {});
  }
  nullable(): Schema<Out | null, In | null, P> {
    return new NullableSchema(this);
  }
  /** The value is added for an absent key, without validation. Maps and lists are copied for each request. */
  default(value: Out): Schema<Out, In, "defaulted"> {
    return new AnnotatedSchema<Out, In, "defaulted">(this, "defaulted", value, { default: value });
  }
  describe(text: string): Schema<Out, In, P> {
    return new AnnotatedSchema<Out, In, P>(this, this.presence, this.fallback, { description: text });
  }
  /** Responses to requests with this field or parameter have deprecation headers. Call this method last. */
  deprecated(when: Deprecation): Schema<Out, In, P> {
    return new AnnotatedSchema<Out, In, P>(this, this.presence, this.fallback, { deprecated: true }, when);
  }
  example(value: In): Schema<Out, In, P> {
    return new AnnotatedSchema<Out, In, P>(this, this.presence, this.fallback, { examples: [value] });
  }
  /** Adds a `value_error` with the returned message. Called only if the value is valid otherwise. */
  rule(violation: (value: Out) => string | Violation | undefined): Schema<Out, In, P> {
    return new RuleSchema(this, violation);
  }
  /** Like `rule`, but the error is `custom` and its message is exactly the returned one. */
  refine(violation: (value: Out) => string | undefined): Schema<Out, In, P> {
    return new RefinedSchema(this, violation);
  }
  /** Replaces all errors of the value, including those of nested values, by one with this message. */
  message(text: string): Schema<Out, In, P> {
    return new MessageSchema(this, text);
  }
  /** Converts a valid value. */
  transform<Result>(convert: (value: Out) => Result): Schema<Result, In, P> {
    return new TransformSchema(this, convert);
  }
}

/** How a value breaks a rule of an extension. Rules of the contract return a message alone, as in FastAPI. */
interface Violation {
  readonly message: string;
  /** The field of the value that is wrong. Absent: the whole value. */
  readonly at?: string;
  readonly expected: string;
}

class AnnotatedSchema<Out, In, P extends FieldPresence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, FieldPresence>;
  readonly keywords: JsonSchema;

  constructor(
    inner: Schema<Out, In, FieldPresence>,
    presence: P,
    fallback: unknown,
    keywords: JsonSchema,
    deprecation = inner.deprecation,
  ) {
    super(presence, fallback, deprecation);
    this.inner = inner;
    this.keywords = keywords;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Out {
    return this.inner.check(value, loc, errors);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { ...this.inner.jsonSchema(refs), ...this.keywords };
  }
}

class NullableSchema<Out, In, P extends FieldPresence> extends Schema<Out | null, In | null, P> {
  readonly inner: Schema<Out, In, P>;

  constructor(inner: Schema<Out, In, P>) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Out | null {
    return value === null ? null : this.inner.check(value, loc, errors);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { anyOf: [this.inner.jsonSchema(refs), { type: "null" }] };
  }
}

class RuleSchema<Out, In, P extends FieldPresence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, P>;
  readonly violation: (value: Out) => string | Violation | undefined;

  constructor(inner: Schema<Out, In, P>, violation: (value: Out) => string | Violation | undefined) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.violation = violation;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Out {
    const before = errors.length;
    const parsed = this.inner.check(value, loc, errors);
    if (errors.length > before) return parsed;
    const found = this.violation(parsed);
    // FastAPI serializes the exception in ctx as an empty object.
    if (typeof found === "string") {
      addError(errors, loc, "value_error", `Value error, ${found}`, value, { error: {} });
    } else if (found !== undefined) {
      const { message, at, expected } = found;
      const input = at === undefined || !isObject(value) ? value : value[at];
      const where = at === undefined ? loc : [...loc, at];
      addError(errors, where, "value_error", `Value error, ${message}`, input, { error: {}, expected });
    }
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

class RefinedSchema<Out, In, P extends FieldPresence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, P>;
  readonly violation: (value: Out) => string | undefined;

  constructor(inner: Schema<Out, In, P>, violation: (value: Out) => string | undefined) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.violation = violation;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Out {
    const before = errors.length;
    const parsed = this.inner.check(value, loc, errors);
    const message = errors.length > before ? undefined : this.violation(parsed);
    if (message !== undefined) addError(errors, loc, "custom", message, value);
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

class MessageSchema<Out, In, P extends FieldPresence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, P>;
  readonly text: string;

  constructor(inner: Schema<Out, In, P>, text: string) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.text = text;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Out {
    const before = errors.length;
    const parsed = this.inner.check(value, loc, errors);
    if (errors.length > before) {
      errors.length = before;
      addError(errors, loc, "custom", this.text, value);
    }
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

class TransformSchema<Out, In, P extends FieldPresence, Result> extends Schema<Result, In, P> {
  readonly inner: Schema<Out, In, P>;
  readonly convert: (value: Out) => Result;

  constructor(inner: Schema<Out, In, P>, convert: (value: Out) => Result) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.convert = convert;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Result {
    const before = errors.length;
    const parsed = this.inner.check(value, loc, errors);
    return errors.length > before ? (undefined as Result) : this.convert(parsed);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

/** A copy for each request, so that one request cannot change the default of another. */
export function cloneDefault(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneDefault);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cloneDefault(item)]));
}

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
