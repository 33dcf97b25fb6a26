import { type Entry, type Loc, refuse } from "./entry.ts";
import { type JsonSchema, Schema } from "./schema.ts";

export interface StringOptions {
  /** In code points. */
  min?: number;
  pattern?: RegExp;
  /** Documentation only: no format is checked at this level. */
  format?: "date-time" | "uuid" | "uri" | "email" | "password" | "binary";
}

class StringSchema extends Schema<string> {
  readonly options: StringOptions;

  constructor(options: StringOptions) {
    super("required");
    this.options = options;
  }
  check(value: unknown, loc: Loc, entries: Entry[]): string {
    if (typeof value !== "string") {
      refuse(entries, loc, "string_type", "Input should be a valid string", value);
      return "";
    }
    const { min, pattern } = this.options;
    if (min !== undefined && shorterThan(value, min)) {
      const msg = `String should have at least ${min} character${min === 1 ? "" : "s"}`;
      refuse(entries, loc, "string_too_short", msg, value, { min_length: min });
    } else if (pattern !== undefined && !pattern.test(value)) {
      const msg = `String should match pattern '${pattern.source}'`;
      refuse(entries, loc, "string_pattern_mismatch", msg, value, { pattern: pattern.source });
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

/** A code point is one or two code units, so most lengths need no counting. */
function shorterThan(text: string, min: number): boolean {
  if (text.length < min) return true;
  return text.length < 2 * min && [...text].length < min;
}

const truths = new Set(["1", "true", "t", "yes", "y", "on"]);
const falsehoods = new Set(["0", "false", "f", "no", "n", "off"]);

class BooleanSchema extends Schema<boolean> {
  check(value: unknown, loc: Loc, entries: Entry[]): boolean {
    if (typeof value === "boolean") return value;
    if (value === 1) return true;
    if (value === 0) return false;
    if (typeof value === "string") {
      const word = value.toLowerCase();
      if (truths.has(word)) return true;
      if (falsehoods.has(word)) return false;
    }
    if (typeof value === "string" || isInt64(value)) {
      const msg = "Input should be a valid boolean, unable to interpret input";
      refuse(entries, loc, "bool_parsing", msg, value);
    } else {
      refuse(entries, loc, "bool_type", "Input should be a valid boolean", value);
    }
    return false;
  }
  jsonSchema(): JsonSchema {
    return { type: "boolean" };
  }
}

/** Whole and within signed 64 bits. The lower end is open for floats, as in Pydantic's float to integer. */
function isInt64(value: unknown): boolean {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

class NumberSchema extends Schema<number> {
  check(value: unknown, loc: Loc, entries: Entry[]): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    refuse(entries, loc, "float_type", "Input should be a valid number", value);
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
  check(value: unknown, loc: Loc, entries: Entry[]): Value {
    for (const allowed of this.values) if (value === allowed) return allowed;
    const { expected } = this;
    refuse(entries, loc, "literal_error", `Input should be ${expected}`, value, { expected });
    return value as Value;
  }
  jsonSchema(): JsonSchema {
    return { type: "string", enum: [...this.values] };
  }
}

/** A number or a boolean stands for its text, as people write `right: 5` in YAML. */
class WordSchema extends Schema<string, string | number | boolean> {
  check(value: unknown, loc: Loc, entries: Entry[]): string {
    if (typeof value === "string") return value;
    if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
      return String(value);
    }
    refuse(entries, loc, "string_type", "Input should be a text, a number or a boolean", value);
    return "";
  }
  jsonSchema(): JsonSchema {
    return { type: ["string", "number", "boolean"] };
  }
}

class AnythingSchema extends Schema<unknown> {
  check(value: unknown): unknown {
    return value;
  }
  jsonSchema(): JsonSchema {
    return {};
  }
}

export const string = (options: StringOptions = {}): Schema<string> => new StringSchema(options);
export const boolean = (): Schema<boolean> => new BooleanSchema("required");
/** Any JSON number and nothing else: for answers. */
export const number = (): Schema<number> => new NumberSchema("required");
export const literal = <const Value extends string>(...values: Value[]): Schema<Value> =>
  new LiteralSchema(values);
/** A text; a number or a boolean is taken as its text. */
export const word = (): Schema<string, string | number | boolean> => new WordSchema("required");
export const any = (): Schema<unknown> => new AnythingSchema("required");
