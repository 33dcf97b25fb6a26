import { type Entry, type Loc, refuse } from "./entry.ts";
import { type JsonSchema, Schema } from "./schema.ts";

export interface IntegerOptions {
  ge?: number;
  le?: number;
}

/** Python's limit on the digits of an integer in text, which Pydantic keeps as well. */
const mostDigits = 4300;
const integerText = /^\p{White_Space}*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?\p{White_Space}*$/u;

class IntegerSchema extends Schema<number> {
  readonly options: IntegerOptions;

  constructor(options: IntegerOptions) {
    super("required");
    this.options = options;
  }
  check(value: unknown, loc: Loc, entries: Entry[]): number {
    const integer = typeof value === "number" && Number.isSafeInteger(value) ? value + 0 : coerce(value);
    if (typeof integer === "string") {
      refuse(entries, loc, integer, messages[integer], value);
      return 0;
    }
    const { ge, le } = this.options;
    if (le !== undefined && integer > le) {
      refuse(entries, loc, "less_than_equal", `Input should be less than or equal to ${le}`, value, { le });
    } else if (ge !== undefined && integer < ge) {
      const msg = `Input should be greater than or equal to ${ge}`;
      refuse(entries, loc, "greater_than_equal", msg, value, { ge });
    }
    return integer as number;
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

/** The integer that is meant, or the type of the refusal. */
function coerce(value: unknown): number | bigint | keyof typeof messages {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return narrowed(value);
  if (typeof value === "string") return fromText(value);
  if (typeof value !== "number") return "int_type";
  // The decoder makes a bigint of every unsafe integer, so what arrives here was written as a float.
  if (!Number.isInteger(value)) return "int_from_float";
  return Math.abs(value) < 2 ** 63 ? BigInt(value) : "int_parsing_size";
}

function fromText(text: string): number | bigint | "int_parsing" | "int_parsing_size" {
  // A run of digits at the very start is judged by its length alone, whatever follows it.
  if (text.length > mostDigits && (/^-?[1-9]\d*/.exec(text)?.[0].length ?? 0) > mostDigits) {
    return "int_parsing_size";
  }
  const match = integerText.exec(text);
  if (match === null) return "int_parsing";
  const [, sign = "", figures = ""] = match;
  const digits = figures.replaceAll("_", "").replace(/^0+(?=\d)/, "");
  const written = sign === "-" ? `-${digits}` : digits;
  if (written.length > mostDigits) return "int_parsing";
  return narrowed(BigInt(written));
}

function narrowed(integer: bigint): number | bigint {
  const small = Number(integer);
  return Number.isSafeInteger(small) ? small : integer;
}

/**
 * An integer of any size. The parsed value is a number where that is exact and a bigint beyond 2^53; the type says
 * number, since every integer of the contract is small wherever it is used and a bigint compares with numbers.
 */
export const integer = (options: IntegerOptions = {}): Schema<number> => new IntegerSchema(options);
