import { registerSchema } from "./model.ts";
import { type AnySchema, type Infer, type Input, type JsonSchema, type Refs, Schema } from "./schema.ts";
import type { Loc, ValidationError } from "./validation-error.ts";

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

/** An extension key in a request of the contract: documented as `inner`, passed on unchecked, checked by the server's rules. */
export const extension = <S extends AnySchema>(inner: S): Schema<unknown, Input<S>, "optional"> =>
  new ExtensionSchema(inner);
