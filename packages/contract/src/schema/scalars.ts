import { type JsonSchema, Schema } from "./schema.ts";
import { addError, type Loc, type ValidationError } from "./validation-error.ts";

export interface StringOptions {
  /** Lengths in code points. */
  min?: number;
  max?: number;
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
    const { min, max, pattern } = this.options;
    if (min !== undefined && shorterThan(value, min)) {
      const msg = `String should have at least ${min} character${min === 1 ? "" : "s"}`;
      addError(errors, loc, "string_too_short", msg, value, { min_length: min });
    } else if (max !== undefined && value.length > max && !shorterThan(value, max + 1)) {
      const msg = `String should have at most ${max} character${max === 1 ? "" : "s"}`;
      addError(errors, loc, "string_too_long", msg, value, { max_length: max });
    } else if (pattern !== undefined && !pattern.test(value)) {
      const msg = `String should match pattern '${pattern.source}'`;
      addError(errors, loc, "string_pattern_mismatch", msg, value, { pattern: pattern.source });
    }
    return value;
  }
  jsonSchema(): JsonSchema {
    const { min, max, pattern, format } = this.options;
    return {
      type: "string",
      ...(min !== undefined && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
      ...(pattern !== undefined && { pattern: pattern.source }),
      ...(format !== undefined && { format }),
    };
  }
}

/** A code point has one or two code units, so the length in code units decides for most strings. */
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

/** Whether a number fits into 64 bits. For floats -2^63 is excluded, as in Pydantic. */
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

interface CronFieldRange {
  first: number;
  last: number;
  /** The names stand for `first` and the values after it. */
  names?: readonly string[];
  /** `?` (no particular day) is allowed. */
  isDay?: boolean;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const second: CronFieldRange = { first: 0, last: 59 };
const fiveFields: readonly CronFieldRange[] = [
  { first: 0, last: 59 },
  { first: 0, last: 23 },
  { first: 1, last: 31, isDay: true },
  { first: 1, last: 12, names: months },
  { first: 0, last: 7, names: weekdays, isDay: true },
];

/** A cron expression, as `isCron` reads it. */
export const cron = () => string().rule((value) => (isCron(value) ? undefined : "invalid cron expression"));

/** Five fields, or six with seconds first. Does not check that the date exists. */
export function isCron(expression: string): boolean {
  const parts = expression.split(/\p{White_Space}+/u).filter((part) => part !== "");
  const fields = parts.length === 6 ? [second, ...fiveFields] : fiveFields;
  return parts.length === fields.length && fields.every((field, index) => isField(parts[index] ?? "", field));
}

function isField(part: string, field: CronFieldRange): boolean {
  return (part === "?" && field.isDay === true) || part.split(",").every((term) => isTerm(term, field));
}

/** `*`, `5`, `MON` or `1-5`, optionally with `/step`. */
function isTerm(term: string, field: CronFieldRange): boolean {
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(term);
  if (match === null) return false;
  const [, from, to, step] = match;
  if (step !== undefined && Number(step) < 1) return false;
  if (from === undefined) return true;
  const start = numberOf(from, field);
  const end = to === undefined ? start : numberOf(to, field);
  return start >= field.first && start <= end && end <= field.last;
}

/** The value of a number or a name of the field; otherwise NaN, which is in no range. */
function numberOf(word: string, field: CronFieldRange): number {
  if (/^\d+$/.test(word)) return Number(word);
  const position = field.names?.indexOf(word.toUpperCase()) ?? -1;
  return position < 0 ? Number.NaN : field.first + position;
}
