import { isObject, type JsonObject, keysInOrder, setOwn } from "./object.ts";
import {
  type AnySchema,
  cloneDefault,
  type Infer,
  type Input,
  type JsonSchema,
  type Presence,
  type Refs,
  Schema,
} from "./schema.ts";
import { addError, type Loc, missingField, type ValidationError } from "./validation-error.ts";

export interface ModelOptions {
  /** Unknown keys are kept. Default: they are dropped. */
  additional?: boolean;
  /** Unknown keys are errors with this message. */
  closed?: (key: string) => string;
  description?: string;
}

export type Fields = Record<string, AnySchema>;

type Flatten<T> = { [K in keyof T]: T[K] };
/** The names of the fields with one of the presences `P`. */
type NamesByPresence<F extends Fields, P extends Presence> = {
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
    const { additional, closed } = this.options;
    if (!additional && !closed) return;
    for (const key of keysInOrder(value)) {
      if (Object.hasOwn(this.fields, key)) continue;
      if (closed) addError(errors, [...loc, key], "extra_forbidden", closed(key), value[key]);
      else setOwn(parsed, key, value[key]);
    }
  }
  jsonSchema(refs: Refs): JsonSchema {
    const properties: JsonSchema = {};
    for (const [name, schema] of this.fieldEntries) properties[name] = schema.jsonSchema(refs);
    const required = this.fieldEntries.filter(([, schema]) => schema.presence === "required");
    const { description, additional, closed } = this.options;
    return registerSchema(refs, this.name, {
      type: "object",
      ...(description !== undefined && { description }),
      properties,
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
      ...((additional || closed) && { additionalProperties: !closed }),
    });
  }
}

/** Registers a named schema and returns a reference to it. */
export function registerSchema(refs: Refs, name: string, schema: JsonSchema): JsonSchema {
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
