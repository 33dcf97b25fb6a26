/** The digits that a number of the type keeps: any number with `sure` digits, some with up to `most`. */
const digitsOf: Readonly<Record<string, { readonly sure: number; readonly most: number }>> = {
  FLOAT: { sure: 6, most: 9 },
  DOUBLE: { sure: 15, most: 17 },
};

/** Whole numbers of this length are held exactly or not at all. Longer ones are compared by their digits. */
const longWhole = "[+-]?[0-9]{16,38}";

/**
 * SQL: casts text to FLOAT or DOUBLE. NULL if the text is not a number, or if the cast would change the number: beyond
 * the range of the type (1e400 would be infinite, 1e-400 zero), or with digits that it does not keep (16777217 as
 * FLOAT, 9007199254740993 as DOUBLE). A fraction is compared by its digits: 0.1 fits a FLOAT, although the stored value
 * differs.
 */
export function castFloat(text: string, type: "FLOAT" | "DOUBLE"): string {
  const { sure, most } = digitsOf[type] ?? { sure: 0, most: 0 };
  const value = `TRY_CAST(${text} AS ${type})`;
  const digits = significant(text);
  const written = significant(
    `format('{:.{}e}', ${value}, CAST(greatest(strlen(${digits}) - 1, 0) AS INTEGER))`,
  );
  const isWhole = `regexp_full_match(${text}, '${type === "FLOAT" ? "[+-]?[0-9]+([.]0*)?" : longWhole}')`;
  const isExact =
    type === "FLOAT"
      ? `${castFloat(text, "DOUBLE")} = CAST(${value} AS DOUBLE)`
      : `TRY_CAST(${value} AS HUGEINT) = TRY_CAST(${text} AS HUGEINT)`;
  const exactly = type === "FLOAT" ? `WHEN ${isExact} THEN ${value} ` : "";
  return `CASE WHEN strlen(${text}) <= ${sure} AND NOT contains(lower(${text}), 'e') THEN ${value} WHEN strlen(${digits}) = 0 THEN ${value} WHEN NOT isfinite(${value}) THEN NULL ${exactly}WHEN ${isWhole} THEN CASE WHEN ${isExact} THEN ${value} END WHEN strlen(${digits}) <= ${most} AND ${written} = ${digits} THEN ${value} END`;
}

/** SQL: the digits of a number without its sign, point and exponent, from the first to the last that is not zero. */
const significant = (text: string): string => `trim(regexp_replace(${text}, '[eE].*$|[^0-9]', '', 'g'), '0')`;

/** Whether a number keeps all digits of the text from which it was read. */
export function keepsDigits(value: number, text: string, type = "DOUBLE"): boolean {
  const { sure, most } = digitsOf[type] ?? { sure: 0, most: 0 };
  if (text.length <= sure && !/e/i.test(text)) return true;
  const digits = significantDigits(text);
  if (digits.length === 0) return true;
  if (!Number.isFinite(value)) return false;
  if (type === "FLOAT" && value === Number(text)) return keepsDigits(value, text);
  if (/^[+-]?\d{16,38}$/.test(text)) return BigInt(value) === BigInt(text.replace("+", ""));
  if (digits.length > most) return false;
  return significantDigits(value.toExponential(digits.length - 1)) === digits;
}

function significantDigits(text: string): string {
  const digits = text.replace(/e.*$/i, "").replace(/\D/g, "");
  let [from, to] = [0, digits.length];
  while (digits[from] === "0") from += 1;
  while (to > from && digits[to - 1] === "0") to -= 1;
  return digits.slice(from, to);
}
