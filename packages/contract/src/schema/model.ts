import { type Entry, type Loc, missing, refuse } from "./entry.ts";
import { isObject, type JsonObject, keysAsSent, put } from "./object.ts";
import {
  type AnySchema,
  fresh,
  type Infer,
  type Input,
  type JsonSchema,
  type Presence,
  type Refs,
  Schema,
} from "./schema.ts";

export interface ModelOptions {
  /** Further properties are allowed and kept; otherwise they are ignored. */
  additional?: boolean;
  /** Further properties are refused, each with this sentence. */
  closed?: (key: string) => string;
  description?: string;
}

export type Fields = Record<string, AnySchema>;

type Flat<T> = { [K in keyof T]: T[K] };
/** The names of the fields whose presence is one of `P`. */
type Where<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K]["presence"] extends P ? K : never;
}[keyof F];
type Rest<O extends ModelOptions> = O extends { additional: true } ? Record<string, unknown> : unknown;

type ParsedModel<F extends Fields, O extends ModelOptions> = Flat<
  { [K in Where<F, "required" | "defaulted">]: Infer<F[K]> } & { [K in Where<F, "optional">]?: Infer<F[K]> }
> &
  Rest<O>;
type SentModel<F extends Fields, O extends ModelOptions> = Flat<
  { [K in Where<F, "required">]: Input<F[K]> } & { [K in Where<F, "optional" | "defaulted">]?: Input<F[K]> }
> &
  Rest<O>;

/** An object with named fields. Errors come in the order of the fields, whatever the order of the keys. */
export class ModelSchema<F extends Fields, O extends ModelOptions> extends Schema<
  ParsedModel<F, O>,
  SentModel<F, O>
> {
  readonly name: string;
  /** To build another model on this one: `{ ...Connector.fields, … }`. */
  readonly fields: F;
  readonly options: ModelOptions;
  readonly entriesOfFields: readonly (readonly [string, AnySchema])[];

  constructor(name: string, fields: F, options: O) {
    super("required");
    this.name = name;
    this.fields = fields;
    this.options = options;
    this.entriesOfFields = Object.entries(fields);
  }
  check(value: unknown, loc: Loc, entries: Entry[]): ParsedModel<F, O> {
    const parsed: JsonObject = {};
    if (isObject(value)) {
      this.checkFields(value, loc, entries, parsed);
    } else {
      const msg = "Input should be a valid dictionary or object to extract fields from";
      refuse(entries, loc, "model_attributes_type", msg, value);
    }
    return parsed as ParsedModel<F, O>;
  }
  private checkFields(value: JsonObject, loc: Loc, entries: Entry[], parsed: JsonObject): void {
    for (const [name, schema] of this.entriesOfFields) {
      const sent = Object.hasOwn(value, name) ? value[name] : undefined;
      if (sent !== undefined) {
        loc.push(name);
        parsed[name] = schema.check(sent, loc, entries);
        loc.pop();
      } else if (schema.presence === "required") {
        entries.push(missing([...loc, name], value));
      } else if (schema.presence === "defaulted") {
        parsed[name] = fresh(schema.fallback);
      }
    }
    const { additional, closed } = this.options;
    if (!additional && !closed) return;
    for (const key of keysAsSent(value)) {
      if (Object.hasOwn(this.fields, key)) continue;
      if (closed) refuse(entries, [...loc, key], "extra_forbidden", closed(key), value[key]);
      else put(parsed, key, value[key]);
    }
  }
  jsonSchema(refs: Refs): JsonSchema {
    const properties: JsonSchema = {};
    for (const [name, schema] of this.entriesOfFields) properties[name] = schema.jsonSchema(refs);
    const required = this.entriesOfFields.filter(([, schema]) => schema.presence === "required");
    const { description, additional, closed } = this.options;
    return named(refs, this.name, {
      type: "object",
      ...(description !== undefined && { description }),
      properties,
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
      ...((additional || closed) && { additionalProperties: !closed }),
    });
  }
}

/** Registers a named schema once and answers the reference to it. */
export function named(refs: Refs, name: string, schema: JsonSchema): JsonSchema {
  const known = refs.get(name);
  if (known === undefined) refs.set(name, schema);
  else if (JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas are named ${name}.`);
  return { $ref: `#/components/schemas/${name}` };
}

export const model = <const F extends Fields, const O extends ModelOptions = Record<never, never>>(
  name: string,
  fields: F,
  options: O = {} as O,
): ModelSchema<F, O> => new ModelSchema(name, fields, options);
