import {
  type AnySchema,
  cloneDefault,
  type FieldPresence,
  type Infer,
  type Input,
  isObject,
  type JsonObject,
  type JsonSchema,
  keysInOrder,
  type Refs,
  Schema,
  setOwn,
} from "./schema.ts";
import { addError, type Loc, maxErrors, missingField, type ValidationError } from "./validation-error.ts";

export interface ModelOptions {
  /** Unknown keys are kept. Default: they are dropped. */
  additional?: boolean;
  /** Unknown keys are errors. A function returns the error's message for a key. */
  closed?: true | ((key: string) => string);
  /** Fields that exclude each other. Not part of the JSON Schema. */
  groups?: readonly FieldGroup[];
  description?: string;
}

interface FieldGroup {
  readonly fields: readonly string[];
  /** Whether one of the fields must be present. */
  readonly required: boolean;
}

export const atMostOneOf = (...fields: string[]): FieldGroup => ({ fields, required: false });
export const exactlyOneOf = (...fields: string[]): FieldGroup => ({ fields, required: true });

export type Fields = Record<string, AnySchema>;

type Flatten<T> = { [K in keyof T]: T[K] };
/** The names of the fields with one of the presences `P`. */
type NamesByPresence<F extends Fields, P extends FieldPresence> = {
  [K in keyof F]: F[K]["presence"] extends P ? K : never;
}[keyof F];
type AdditionalKeys<O extends ModelOptions> = O extends { additional: true }
  ? Record<string, unknown>
  : unknown;

type ModelOutput<F extends Fields, O extends ModelOptions> = Flatten<
  { [K in NamesByPresence<F, "required" | "defaulted">]: Infer<F[K]> } & {
    [K in NamesByPresence<F, "optional">]?: Infer<F[K]>;
  }
> &
  AdditionalKeys<O>;
type ModelInput<F extends Fields, O extends ModelOptions> = Flatten<
  { [K in NamesByPresence<F, "required">]: Input<F[K]> } & {
    [K in NamesByPresence<F, "optional" | "defaulted">]?: Input<F[K]>;
  }
> &
  AdditionalKeys<O>;

/** An object with named fields. Errors are in field order, whatever the order of the keys. */
export class ModelSchema<F extends Fields, O extends ModelOptions> extends Schema<
  ModelOutput<F, O>,
  ModelInput<F, O>
> {
  readonly name: string;
  /** Used to extend the model: `{ ...Connector.fields, … }`. */
  readonly fields: F;
  readonly options: ModelOptions;
  readonly fieldEntries: readonly (readonly [string, AnySchema])[];

  constructor(name: string, fields: F, options: O) {
    super("required");
    this.name = name;
    this.fields = fields;
    this.options = options;
    this.fieldEntries = Object.entries(fields);
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): ModelOutput<F, O> {
    const parsed: JsonObject = {};
    if (isObject(value)) {
      this.checkFields(value, loc, errors, parsed);
    } else {
      const msg = "Input should be a valid dictionary or object to extract fields from";
      addError(errors, loc, "model_attributes_type", msg, value);
    }
    return parsed as ModelOutput<F, O>;
  }
  private checkFields(value: JsonObject, loc: Loc, errors: ValidationError[], parsed: JsonObject): void {
    for (const [name, schema] of this.fieldEntries) {
      const sent = Object.hasOwn(value, name) ? value[name] : undefined;
      if (sent !== undefined) {
        loc.push(name);
        parsed[name] = schema.check(sent, loc, errors);
        loc.pop();
      } else if (schema.presence === "required") {
        errors.push(missingField([...loc, name], value));
      } else if (schema.presence === "defaulted") {
        parsed[name] = cloneDefault(schema.fallback);
      }
    }
    const { additional, closed, groups } = this.options;
    if (groups) for (const group of groups) checkGroup(group, value, loc, errors);
    if (!additional && !closed) return;
    for (const key of keysInOrder(value)) {
      if (Object.hasOwn(this.fields, key)) continue;
      if (closed && errors.length >= maxErrors) break;
      if (closed) this.addExtra(closed, key, value, loc, errors);
      else setOwn(parsed, key, value[key]);
    }
  }
  /** Pydantic's message does not list the known keys; with a message of our own, the error does. */
  private addExtra(
    closed: true | ((key: string) => string),
    key: string,
    value: JsonObject,
    loc: Loc,
    errors: ValidationError[],
  ): void {
    const ctx = closed === true ? undefined : { expected: Object.keys(this.fields).join(", ") };
    addError(errors, [...loc, key], "extra_forbidden", extraMessage(closed, key), value[key], ctx);
  }
  jsonSchema(refs: Refs): JsonSchema {
    const properties: JsonSchema = {};
    for (const [name, schema] of this.fieldEntries) properties[name] = schema.jsonSchema(refs);
    const required = this.fieldEntries.filter(([, schema]) => schema.presence === "required");
    const { description, additional, closed } = this.options;
    const schema = {
      type: "object",
      ...(description !== undefined && { description }),
      properties,
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
      ...((additional || closed) && { additionalProperties: !closed }),
    };
    return this.name === "" ? schema : registerSchema(refs, this.name, schema);
  }
}

const extraMessage = (closed: true | ((key: string) => string), key: string) =>
  closed === true ? "Extra inputs are not permitted" : closed(key);

function checkGroup(
  { fields, required }: FieldGroup,
  value: JsonObject,
  loc: Loc,
  errors: ValidationError[],
) {
  const present = fields.filter((name) => Object.hasOwn(value, name));
  if (present.length > 1) {
    const msg = `Only one of ${present.join(", ")} can be set`;
    addError(errors, loc, "fields_conflict", msg, value, { fields: present });
  } else if (required && present.length === 0) {
    addError(errors, loc, "fields_missing", `One of ${fields.join(", ")} is required`, value, { fields });
  }
}

/** Registers a named schema and returns a reference to it. */
function registerSchema(refs: Refs, name: string, schema: JsonSchema): JsonSchema {
  const known = refs.get(name);
  if (known === undefined) refs.set(name, schema);
  else if (JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas have the name ${name}.`);
  return { $ref: `#/components/schemas/${name}` };
}

export const model = <const F extends Fields, const O extends ModelOptions = Record<never, never>>(
  name: string,
  fields: F,
  options: O = {} as O,
): ModelSchema<F, O> => new ModelSchema(name, fields, options);

/** The fields, all optional. */
export const partial = <const F extends Fields>(
  fields: F,
): { [K in keyof F]: Schema<Infer<F[K]>, Input<F[K]>, "optional"> } =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.optional()])) as {
    [K in keyof F]: Schema<Infer<F[K]>, Input<F[K]>, "optional">;
  };

/** A model without a name: its JSON Schema is printed inline. */
export const object = <const F extends Fields, const O extends ModelOptions = Record<never, never>>(
  fields: F,
  options: O = {} as O,
): ModelSchema<F, O> => new ModelSchema("", fields, options);

class ChoiceSchema<S extends AnySchema> extends Schema<Infer<S>, Input<S>> {
  readonly name: string;
  readonly pick: (raw: unknown) => number;
  readonly schemas: readonly S[];

  constructor(name: string, pick: (raw: unknown) => number, schemas: readonly S[]) {
    super("required");
    this.name = name;
    this.pick = pick;
    this.schemas = schemas;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Infer<S> {
    const picked = this.schemas[this.pick(value)];
    if (picked === undefined) throw new Error(`${this.name} selected a schema that does not exist.`);
    return picked.check(value, loc, errors);
  }
  jsonSchema(refs: Refs): JsonSchema {
    return registerSchema(refs, this.name, { anyOf: this.schemas.map((schema) => schema.jsonSchema(refs)) });
  }
}

class ExtensionSchema<S extends AnySchema> extends Schema<unknown, Input<S>, "optional"> {
  readonly inner: S;

  constructor(inner: S) {
    super("optional");
    this.inner = inner;
  }
  check(value: unknown): unknown {
    return value;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}

/** One of several schemas, selected by the raw value. Only that schema's errors are reported. */
export const choice = <S extends AnySchema[]>(
  name: string,
  pick: (raw: unknown) => number,
  ...schemas: S
): Schema<Infer<S[number]>, Input<S[number]>> => new ChoiceSchema(name, pick, schemas);

/**
 * An extension key in a request of the contract: documented as `inner`, passed on unvalidated, and checked by the
 * server's rules.
 */
export const extension = <S extends AnySchema>(inner: S): Schema<unknown, Input<S>, "optional"> =>
  new ExtensionSchema(inner);

/**
 * The schema that documents an extension key, for programs that validate it themselves; any other schema is returned as
 * it is.
 */
export function documentedSchema(schema: AnySchema): AnySchema {
  let at: AnySchema | undefined = schema;
  while (at !== undefined && !(at instanceof ExtensionSchema)) {
    at = "inner" in at ? (at.inner as AnySchema) : undefined;
  }
  return at instanceof ExtensionSchema ? at.inner : schema;
}

/** The model inside a schema with rules; undefined if the schema has no model. */
export function modelOf(schema: AnySchema): ModelSchema<Fields, ModelOptions> | undefined {
  let at: AnySchema | undefined = schema;
  while (at !== undefined && !(at instanceof ModelSchema)) {
    at = "inner" in at ? (at.inner as AnySchema) : undefined;
  }
  return at as ModelSchema<Fields, ModelOptions> | undefined;
}
