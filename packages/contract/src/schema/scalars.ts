import { type JsonSchema, Schema } from "./schema.ts";
import { addError, type Loc, type ValidationError } from "./validation-error.ts";

export interface StringOptions {
  /** In code points. */
  min?: number;
  pattern?: RegExp;
  /** Documentation only: the format is not checked. */
  format?: "date-time" | "uuid" | "uri" | "email" | "password" | "binary";
}

class StringSchema extends Schema<string> {
  readonly options: StringOptions;

  constructor(options: StringOptions) {
    super("required");
    this.options = options;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): string {
    if (typeof value !== "string") {
      addError(errors, loc, "string_type", "Input should be a valid string", value);
      return "";
    }
    const { min, pattern } = this.options;
    if (min !== undefined && shorterThan(value, min)) {
      const msg = `String should have at least ${min} character${min === 1 ? "" : "s"}`;
      addError(errors, loc, "string_too_short", msg, value, { min_length: min });
    } else if (pattern !== undefined && !pattern.test(value)) {
      const msg = `String should match pattern '${pattern.source}'`;
      addError(errors, loc, "string_pattern_mismatch", msg, value, { pattern: pattern.source });
    }
    return value;
  }
  jsonSchema(): JsonSchema {
    const { min, pattern, format } = this.options;
    return {
      type: "string",
      ...(min !== undefined && { minLength: min }),
      ...(pattern !== undefined && { pattern: pattern.source }),
      ...(format !== undefined && { format }),
    };
  }
}

/** A code point has one or two code units, so most strings need no counting. */
function shorterThan(text: string, min: number): boolean {
  if (text.length < min) return true;
  return text.length < 2 * min && [...text].length < min;
}

const trueWords = new Set(["1", "true", "t", "yes", "y", "on"]);
const falseWords = new Set(["0", "false", "f", "no", "n", "off"]);

export interface BooleanOptions {
  /** Only `true` and `false`, without coercion. */
  strict?: boolean;
}

class BooleanSchema extends Schema<boolean> {
  readonly strict: boolean;

  constructor({ strict = false }: BooleanOptions) {
    super("required");
    this.strict = strict;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): boolean {
    if (typeof value === "boolean") return value;
    if (this.strict) {
      addError(errors, loc, "bool_type", "Input should be a valid boolean", value);
      return false;
    }
    if (value === 1) return true;
    if (value === 0) return false;
    if (typeof value === "string") {
      const word = value.toLowerCase();
      if (trueWords.has(word)) return true;
      if (falseWords.has(word)) return false;
    }
    if (typeof value === "string" || isInt64(value)) {
      const msg = "Input should be a valid boolean, unable to interpret input";
      addError(errors, loc, "bool_parsing", msg, value);
    } else {
      addError(errors, loc, "bool_type", "Input should be a valid boolean", value);
    }
    return false;
  }
  jsonSchema(): JsonSchema {
    return { type: "boolean" };
  }
}

/** An integer of 64 bits. For floats -2^63 is excluded, as in Pydantic. */
function isInt64(value: unknown): boolean {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

class NumberSchema extends Schema<number> {
  check(value: unknown, loc: Loc, errors: ValidationError[]): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    addError(errors, loc, "float_type", "Input should be a valid number", value);
    return 0;
  }
  jsonSchema(): JsonSchema {
    return { type: "number" };
  }
}

class LiteralSchema<Value extends string> extends Schema<Value> {
  readonly values: readonly Value[];
  readonly expected: string;

  constructor(values: readonly Value[]) {
    super("required");
    this.values = values;
    const quoted = values.map((value) => `'${value}'`);
    const last = quoted.pop() ?? "";
    this.expected = quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): Value {
    for (const allowed of this.values) if (value === allowed) return allowed;
    const { expected } = this;
    addError(errors, loc, "literal_error", `Input should be ${expected}`, value, { expected });
    return value as Value;
  }
  jsonSchema(): JsonSchema {
    return { type: "string", enum: [...this.values] };
  }
}

/** Converts numbers and booleans to strings: people write `right: 5` in YAML. */
class CoercedStringSchema extends Schema<string, string | number | boolean> {
  check(value: unknown, loc: Loc, errors: ValidationError[]): string {
    if (typeof value === "string") return value;
    if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
      return String(value);
    }
    addError(errors, loc, "string_type", "Input should be a text, a number or a boolean", value);
    return "";
  }
  jsonSchema(): JsonSchema {
    return { type: ["string", "number", "boolean"] };
  }
}

class UnknownSchema extends Schema<unknown> {
  check(value: unknown): unknown {
    return value;
  }
  jsonSchema(): JsonSchema {
    return {};
  }
}

export const string = (options: StringOptions = {}): Schema<string> => new StringSchema(options);
export const boolean = (options: BooleanOptions = {}): Schema<boolean> => new BooleanSchema(options);
/** A finite JSON number, without coercion: for responses. */
export const number = (): Schema<number> => new NumberSchema("required");
export const literal = <const Value extends string>(...values: Value[]): Schema<Value> =>
  new LiteralSchema(values);
/** A string. Numbers and booleans are converted. */
export const coercedString = (): Schema<string, string | number | boolean> =>
  new CoercedStringSchema("required");
export const any = (): Schema<unknown> => new UnknownSchema("required");
