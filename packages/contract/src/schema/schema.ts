import { type Entry, type Loc, refuse } from "./entry.ts";
import { isObject } from "./object.ts";

export type JsonSchema = { [keyword: string]: unknown };
/** The named schemas met so far: `components.schemas` of the OpenAPI document. */
export type Refs = Map<string, JsonSchema>;
/** Whether a model asks for the key, lets it be absent, or fills it in. */
export type Presence = "required" | "optional" | "defaulted";

/** The parsed type: optional keys are `k?: T`, defaulted ones are always there. */
export type Infer<S extends AnySchema> = S["parsed"];
/** What a client may send: optional and defaulted keys are `k?: T`. */
export type Input<S extends AnySchema> = S["sent"];
export type AnySchema = Schema<unknown, unknown, Presence>;

/** What a value must look like, with the lax coercions of Pydantic v2, and how JSON Schema says it. */
export abstract class Schema<Out, In = Out, P extends Presence = "required"> {
  /** Only types: for Infer and Input. */
  declare readonly parsed: Out;
  declare readonly sent: In;
  readonly presence: P;
  readonly fallback: unknown;

  constructor(presence: P, fallback?: unknown) {
    this.presence = presence;
    this.fallback = fallback;
  }

  /** Pushes what is wrong onto `entries`; the answer means nothing when something was pushed. */
  abstract check(value: unknown, loc: Loc, entries: Entry[]): Out;
  abstract jsonSchema(refs: Refs): JsonSchema;

  /** The key may be absent, and is then absent from the parsed value. */
  optional(): Schema<Out, In, "optional"> {
    return new Annotated<Out, In, "optional">(this, "optional", undefined, {});
  }
  nullable(): Schema<Out | null, In | null, P> {
    return new Nullable(this);
  }
  /** Fills in an absent key. The value is not checked; maps and lists are copied for each request. */
  default(value: Out): Schema<Out, In, "defaulted"> {
    return new Annotated<Out, In, "defaulted">(this, "defaulted", value, { default: value });
  }
  describe(text: string): Schema<Out, In, P> {
    return new Annotated<Out, In, P>(this, this.presence, this.fallback, { description: text });
  }
  example(value: In): Schema<Out, In, P> {
    return new Annotated<Out, In, P>(this, this.presence, this.fallback, { examples: [value] });
  }
  /** A `value_error` at this place if a sentence comes back; asked only if nothing inside failed. */
  rule(sentenceIfBroken: (value: Out) => string | undefined): Schema<Out, In, P> {
    return new Ruled(this, sentenceIfBroken);
  }
}

class Annotated<Out, In, P extends Presence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, Presence>;
  readonly keywords: JsonSchema;

  constructor(inner: Schema<Out, In, Presence>, presence: P, fallback: unknown, keywords: JsonSchema) {
    super(presence, fallback);
    this.inner = inner;
    this.keywords = keywords;
  }
  check(value: unknown, loc: Loc, entries: Entry[]): Out {
    return this.inner.check(value, loc, entries);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { ...this.inner.jsonSchema(refs), ...this.keywords };
  }
}

class Nullable<Out, In, P extends Presence> extends Schema<Out | null, In | null, P> {
  readonly inner: Schema<Out, In, P>;

  constructor(inner: Schema<Out, In, P>) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
  }
  check(value: unknown, loc: Loc, entries: Entry[]): Out | null {
    return value === null ? null : this.inner.check(value, loc, entries);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { anyOf: [this.inner.jsonSchema(refs), { type: "null" }] };
  }
}

class Ruled<Out, In, P extends Presence> extends Schema<Out, In, P> {
  readonly inner: Schema<Out, In, P>;
  readonly sentenceIfBroken: (value: Out) => string | undefined;

  constructor(inner: Schema<Out, In, P>, sentenceIfBroken: (value: Out) => string | undefined) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.sentenceIfBroken = sentenceIfBroken;
  }
  check(value: unknown, loc: Loc, entries: Entry[]): Out {
    const before = entries.length;
    const parsed = this.inner.check(value, loc, entries);
    if (entries.length > before) return parsed;
    const sentence = this.sentenceIfBroken(parsed);
    // The empty object is what the recorded server makes of the exception it keeps in ctx.
    if (sentence !== undefined)
      refuse(entries, loc, "value_error", `Value error, ${sentence}`, value, { error: {} });
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

/** A default of its own for each request, so that nobody changes another's. */
export function fresh(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fresh);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fresh(item)]));
}
