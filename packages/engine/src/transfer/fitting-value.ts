import { castText } from "../connectors/source/cast-text.ts";
import type { TextLength } from "../warehouse/store-assignment/text-length.ts";

/** Types that DuckDB writes as text in its own format. */
const isNested = (type: string): boolean => /\]$|^(STRUCT|MAP|UNION)\(/.test(type);

/** Why no value of a type can become one of another type, even if DuckDB can cast it. */
export function castProblem(from: string, to: string): string | undefined {
  const isText = [from, to].includes("VARCHAR");
  const other = from === "VARCHAR" ? to : from;
  return isText && (isNested(other) || other === "BLOB") ? "there is no text for it" : undefined;
}

/**
 * SQL: a value in another type. NULL if it does not fit: nothing is rounded, cut off or guessed. A value fits if it can be cast back
 * to what it was. A text need not: `1.50` is a number, and so is `007`.
 */
export function fittingValue(value: string, from: string, to: string, length?: TextLength): string {
  if (to === "VARCHAR") {
    const all = `CAST(${value} AS VARCHAR)`;
    // Blanks at the end do not count as characters of a CHAR.
    const text = length?.isChar ? `rtrim(${all}, ' ')` : all;
    return length ? `CASE WHEN length(${text}) <= ${length.characters} THEN ${text} END` : text;
  }
  if (from === "VARCHAR") {
    const cast = castText(value, to);
    const condition = isExactText(value, to);
    return condition === undefined ? cast : `CASE WHEN ${condition} THEN ${cast} END`;
  }
  const cast = `TRY_CAST(${value} AS ${to})`;
  return `CASE WHEN TRY_CAST(${cast} AS ${from}) = ${value} THEN ${cast} END`;
}

/** SQL: whether DuckDB would take a text as it is. It rounds digits, and ignores a time in a date. */
function isExactText(value: string, to: string): string | undefined {
  const scale = /^DECIMAL\(\d+,(\d+)\)$/.exec(to)?.[1] ?? (/INT$|^INTEGER$/.test(to) ? "0" : undefined);
  if (scale !== undefined)
    return String.raw`regexp_full_match(${value}, '\s*[+-]?(\d+(\.\d{0,${scale}}0*)?|\.\d{1,${Math.max(1, Number(scale))}}0*)\s*')`;
  if (to === "DATE")
    return `coalesce(TRY_CAST(${value} AS TIMESTAMP) = CAST(TRY_CAST(${value} AS DATE) AS TIMESTAMP), true)`;
  return /^TIME/.test(to) ? String.raw`NOT regexp_matches(${value}, '\.\d{6}\d*[1-9]')` : undefined;
}
