import { isObject, type JsonObject, keysInOrder, setOwn } from "./object.ts";
import { type AnySchema, type Infer, type Input, type JsonSchema, type Refs, Schema } from "./schema.ts";
import { addError, type Loc, type ValidationError } from "./validation-error.ts";

class ListSchema<Item extends AnySchema> extends Schema<Infer<Item>[], Input<Item>[]> {
  readonly item: Item;

  constructor(item: Item) {
    super("required");
    this.item = item;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Infer<Item>[] {
    if (!Array.isArray(value)) {
      addError(errors, loc, "list_type", "Input should be a valid list", value);
      return [];
    }
    const parsed: Infer<Item>[] = [];
    for (let position = 0; position < value.length; position++) {
      loc.push(position);
      parsed.push(this.item.check(value[position], loc, errors));
      loc.pop();
    }
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { type: "array", items: this.item.jsonSchema(refs) };
  }
}

class MapSchema<Value extends AnySchema> extends Schema<
  Record<string, Infer<Value>>,
  Record<string, Input<Value>>
> {
  readonly value: Value | undefined;

  constructor(value?: Value) {
    super("required");
    this.value = value;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Record<string, Infer<Value>> {
    const parsed: JsonObject = {};
    if (!isObject(value)) {
      addError(errors, loc, "dict_type", "Input should be a valid dictionary", value);
    } else if (this.value === undefined) {
      return value as Record<string, Infer<Value>>;
    } else {
      for (const key of keysInOrder(value)) {
        loc.push(key);
        setOwn(parsed, key, this.value.check(value[key], loc, errors));
        loc.pop();
      }
    }
    return parsed as Record<string, Infer<Value>>;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return { type: "object", additionalProperties: this.value?.jsonSchema(refs) ?? true };
  }
}

export const list = <Item extends AnySchema>(item: Item): Schema<Infer<Item>[], Input<Item>[]> =>
  new ListSchema(item);

/** A free-form object. With a value schema, each value is checked. */
export function map(): Schema<Record<string, unknown>>;
export function map<Value extends AnySchema>(
  value: Value,
): Schema<Record<string, Infer<Value>>, Record<string, Input<Value>>>;
export function map(value?: AnySchema): Schema<Record<string, unknown>> {
  return new MapSchema(value);
}
