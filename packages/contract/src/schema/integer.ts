import { type JsonSchema, Schema } from "./schema.ts";
import { addError, type Loc, type ValidationError } from "./validation-error.ts";

export interface IntegerOptions {
  ge?: number;
  le?: number;
  /** A larger integer is replaced by this value. */
  cap?: number;
  /** `lax` (default): Pydantic's coercions. `digits`: a number or a string of digits. `strict`: a number. */
  mode?: "lax" | "digits" | "strict";
}

/** Python's limit on the digits of an integer in a string. Pydantic has the same limit. */
export const maxIntegerDigits = 4300;
const integerText = /^\p{White_Space}*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?\p{White_Space}*$/u;

class IntegerSchema extends Schema<number> {
  readonly options: IntegerOptions;

  constructor(options: IntegerOptions) {
    super("required");
    this.options = options;
  }
  check(value: unknown, loc: Loc, errors: ValidationError[]): number {
    const integer = typeof value === "number" && Number.isSafeInteger(value) ? value + 0 : this.coerce(value);
    if (typeof integer === "string") {
      addError(errors, loc, integer, messages[integer], value);
      return 0;
    }
    const { ge, le, cap } = this.options;
    if (cap !== undefined && integer > cap) return cap;
    if (le !== undefined && integer > le) {
      addError(errors, loc, "less_than_equal", `Input should be less than or equal to ${le}`, value, { le });
    } else if (ge !== undefined && integer < ge) {
      const msg = `Input should be greater than or equal to ${ge}`;
      addError(errors, loc, "greater_than_equal", msg, value, { ge });
    }
    return integer as number;
  }
  private coerce(value: unknown): number | bigint | keyof typeof messages {
    const { mode = "lax" } = this.options;
    if (mode === "lax") return coerce(value);
    return mode === "digits" && typeof value === "string" && /^\d+$/.test(value)
      ? numberIfSafe(BigInt(value))
      : "int_type";
  }
  jsonSchema(): JsonSchema {
    const { ge, le } = this.options;
    return {
      type: "integer",
      ...(ge !== undefined && { minimum: ge }),
      ...(le !== undefined && { maximum: le }),
    };
  }
}

const messages = {
  int_type: "Input should be a valid integer",
  int_parsing: "Input should be a valid integer, unable to parse string as an integer",
  int_parsing_size: "Unable to parse input string as an integer, exceeded maximum size",
  int_from_float: "Input should be a valid integer, got a number with a fractional part",
};

/** Returns the integer, or the type of the error. */
function coerce(value: unknown): number | bigint | keyof typeof messages {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return numberIfSafe(value);
  if (typeof value === "string") return fromText(value);
  if (typeof value !== "number") return "int_type";
  // The decoder turns every unsafe integer into a bigint, so this number was written as a float.
  if (!Number.isInteger(value)) return "int_from_float";
  return Math.abs(value) < 2 ** 63 ? BigInt(value) : "int_parsing_size";
}

function fromText(text: string): number | bigint | "int_parsing" | "int_parsing_size" {
  // Pydantic counts the leading digits and rejects too many of them, whatever follows.
  if (text.length > maxIntegerDigits && (/^-?[1-9]\d*/.exec(text)?.[0].length ?? 0) > maxIntegerDigits) {
    return "int_parsing_size";
  }
  const match = integerText.exec(text);
  if (match === null) return "int_parsing";
  const [, sign = "", figures = ""] = match;
  const digits = figures.replaceAll("_", "").replace(/^0+(?=\d)/, "");
  const written = sign === "-" ? `-${digits}` : digits;
  if (written.length > maxIntegerDigits) return "int_parsing";
  return numberIfSafe(BigInt(written));
}

function numberIfSafe(integer: bigint): number | bigint {
  const small = Number(integer);
  return Number.isSafeInteger(small) ? small : integer;
}

/**
 * An integer of any size. The parsed value is a number if a number represents it exactly, and otherwise a bigint. The
 * type is number, because the API's integers are small where they are used, and JavaScript compares bigints with
 * numbers.
 */
export const integer = (options: IntegerOptions = {}): Schema<number> => new IntegerSchema(options);
