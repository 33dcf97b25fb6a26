import {
  type AnySchema,
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
import { addError, type Loc, maxErrors, type ValidationError } from "./validation-error.ts";

export interface ListOptions {
  /** Minimum number of items. */
  min?: number;
}

export interface MapOptions {
  /** The pattern that every key must match. */
  keys?: RegExp;
}

class ListSchema<Item extends AnySchema> extends Schema<Infer<Item>[], Input<Item>[]> {
  readonly item: Item;
  readonly min: number;

  constructor(item: Item, { min = 0 }: ListOptions) {
    super("required");
    this.item = item;
    this.min = min;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Infer<Item>[] {
    if (!Array.isArray(value)) {
      addError(errors, loc, "list_type", "Input should be a valid list", value);
      return [];
    }
    if (value.length < this.min) {
      const { length } = value;
      const msg = `List should have at least ${this.min} item${this.min === 1 ? "" : "s"} after validation, not ${length}`;
      const ctx = { field_type: "List", min_length: this.min, actual_length: length };
      addError(errors, loc, "too_short", msg, value, ctx);
    }
    const parsed: Infer<Item>[] = [];
    for (let position = 0; position < value.length && errors.length < maxErrors; position++) {
      loc.push(position);
      parsed.push(this.item.check(value[position], loc, errors));
      loc.pop();
    }
    return parsed;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return {
      type: "array",
      items: this.item.jsonSchema(refs),
      ...(this.min > 0 && { minItems: this.min }),
    };
  }
}

class MapSchema<Value extends AnySchema> extends Schema<
  Record<string, Infer<Value>>,
  Record<string, Input<Value>>
> {
  readonly value: Value | undefined;
  readonly keys: RegExp | undefined;

  constructor(value?: Value, { keys }: MapOptions = {}) {
    super("required");
    this.value = value;
    this.keys = keys;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Record<string, Infer<Value>> {
    const parsed: JsonObject = {};
    if (!isObject(value)) {
      addError(errors, loc, "dict_type", "Input should be a valid dictionary", value);
    } else if (this.value === undefined) {
      return value as Record<string, Infer<Value>>;
    } else {
      for (const key of keysInOrder(value)) {
        if (errors.length >= maxErrors) break;
        loc.push(key);
        if (this.keys && !this.keys.test(key)) this.addKeyError(this.keys, key, loc, errors);
        setOwn(parsed, key, this.value.check(value[key], loc, errors));
        loc.pop();
      }
    }
    return parsed as Record<string, Infer<Value>>;
  }
  jsonSchema(refs: Refs): JsonSchema {
    return {
      type: "object",
      additionalProperties: this.value?.jsonSchema(refs) ?? true,
      ...(this.keys && { propertyNames: { pattern: this.keys.source } }),
    };
  }
  private addKeyError({ source }: RegExp, key: string, loc: Loc, errors: ValidationError[]): void {
    const msg = `String should match pattern '${source}'`;
    addError(errors, [...loc, "[key]"], "string_pattern_mismatch", msg, key, { pattern: source });
  }
}

export const list = <Item extends AnySchema>(
  item: Item,
  options: ListOptions = {},
): Schema<Infer<Item>[], Input<Item>[]> => new ListSchema(item, options);

/** A free-form object. With a value schema, each value is checked. */
export function map(): Schema<Record<string, unknown>>;
export function map<Value extends AnySchema>(
  value: Value,
  options?: MapOptions,
): Schema<Record<string, Infer<Value>>, Record<string, Input<Value>>>;
export function map(value?: AnySchema, options?: MapOptions): Schema<Record<string, unknown>> {
  return new MapSchema(value, options);
}
