import { trimEnd } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { keepsDigits } from "./exact-float.ts";
import { instant } from "./instant.ts";

/** A text that the warehouse casts without loss; undefined if the type cannot hold the value exactly. */
type ExactText = (text: string) => string | undefined;

/**
 * DuckDB's casts round (`'12.345'` to DECIMAL(12,2), `'1.5'` to BIGINT), truncate (a time to a DATE) and ignore offsets (a
 * text to TIMESTAMP). A value that would lose something is refused before the cast.
 */
export function exactText(type: string): ExactText {
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type);
  if (decimal) return decimalReader(Number(decimal[1]), Number(decimal[2]));
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type)) {
    return (text) => (/^-?\d+$/.test(text) ? text : undefined);
  }
  switch (type) {
    case "FLOAT":
      return (text) => (keepsDigits(Math.fround(Number(text)), text, type) ? text : undefined);
    case "DOUBLE":
      return (text) => (keepsDigits(Number(text), text) ? text : undefined);
    case "DATE":
      return withExtremes(dayText, false);
    case "TIMESTAMP":
      return withExtremes((text) => instant(text)?.text, true);
    case "TIMESTAMP WITH TIME ZONE":
      return withExtremes((text) => {
        const time = instant(text);
        return time && `${time.text}+00`;
      }, true);
    default:
      return (text) => text;
  }
}

const extremeDay = String.raw`(\d{5,7}-\d\d-\d\d|\d{4,7}-\d\d-\d\d \(BC\))`;
const time = String.raw`\d\d:\d\d:\d\d(\.\d{1,6})?(\+00(:00)?)?`;

/** Years with more than four digits and other special values, as the warehouse writes them. */
function withExtremes(parse: ExactText, hasTime: boolean): ExactText {
  const extreme = new RegExp(`^(-?infinity|${extremeDay}${hasTime ? ` ${time}` : ""})$`);
  return (text) => parse(text) ?? (extreme.test(text) ? text : undefined);
}

function dayText(text: string): string | undefined {
  const time = instant(text);
  if (!time || !(time.isDay || time.text.endsWith("00:00:00.000000"))) return undefined;
  return time.text.slice(0, 10);
}

function decimalReader(precision: number, scale: number): ExactText {
  const full = (text: string) => decimalText(text, precision, scale);
  if (scale === precision) return full;
  // Nearly all numbers are written like this and need no further check.
  const plain = new RegExp(`^-?\\d{1,${precision - scale}}(\\.\\d{0,${scale}})?$`);
  return (text) => (plain.test(text) ? text : full(text));
}

function decimalText(text: string, precision: number, scale: number): string | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim());
  if (!parts || `${parts[2]}${parts[3] ?? ""}` === "") return undefined;
  const [, sign = "", before = "", after = "", exponent = "0"] = parts;
  const point = before.length + Number(exponent);
  const digits = `${"0".repeat(Math.max(0, -point))}${before}${after}`.padEnd(point, "0");
  const at = Math.max(0, point);
  const whole = digits.slice(0, at).replace(/^0+/, "");
  const fraction = trimEnd(digits.slice(at), /0/);
  if (fraction.length > scale || whole.length > precision - scale) return undefined;
  return `${sign}${whole || "0"}${fraction && `.${fraction}`}`;
}

/** The reason of a reject, in the same words as for a failed cast in the warehouse. */
export const misfit = ({ name, type }: Pick<WarehouseColumn, "name" | "type">, value: unknown): string =>
  `the column ${JSON.stringify(name)}: ${String(value).slice(0, 100)} is not a ${type}`;
