/** Spark's rules for the types of DECIMALs (org.apache.spark.sql.types.DecimalType, Arithmetic). */

export interface Decimal {
  readonly width: number;
  readonly scale: number;
}

/** The digits of the widest DECIMAL, in Spark and in DuckDB. */
export const mostDigits = 38;
/** A result with too many digits loses decimals, but keeps at least this many. */
const leastScale = 6;

const decimal = (width: number, scale: number): Decimal => ({ width, scale });

/** The DECIMAL types of integers in an operation with a DECIMAL. */
export const wholeDecimals: ReadonlyMap<string, Decimal> = new Map([
  ["TINYINT", decimal(3, 0)],
  ["SMALLINT", decimal(5, 0)],
  ["INTEGER", decimal(10, 0)],
  ["BIGINT", decimal(20, 0)],
]);

/** If a result would have more than 38 digits, the digits before the point are kept. */
function adjusted(width: number, scale: number): Decimal {
  if (width <= mostDigits) return decimal(width, scale);
  const whole = width - scale;
  return decimal(mostDigits, Math.max(mostDigits - whole, Math.min(scale, leastScale)));
}

const bounded = (width: number, scale: number): Decimal =>
  decimal(Math.min(width, mostDigits), Math.min(scale, mostDigits));

const wholeDigits = ({ width, scale }: Decimal): number => width - scale;

export function sumOf(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return adjusted(Math.max(wholeDigits(left), wholeDigits(right)) + scale + 1, scale);
}

export const productOf = (left: Decimal, right: Decimal): Decimal =>
  adjusted(left.width + right.width + 1, left.scale + right.scale);

export function quotientOf(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(leastScale, left.scale + right.width + 1);
  return adjusted(wholeDigits(left) + right.scale + scale, scale);
}

export function remainderOf(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return adjusted(Math.min(wholeDigits(left), wholeDigits(right)) + scale, scale);
}

/** The type that holds the values of both. */
export function widerOf(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return bounded(Math.max(wholeDigits(left), wholeDigits(right)) + scale, scale);
}

/** The result type of the aggregate sum(). */
export const totalOf = ({ width, scale }: Decimal): Decimal => bounded(width + 10, scale);
/** The result type of the aggregate avg(). */
export const averageOf = ({ width, scale }: Decimal): Decimal => bounded(width + 4, scale + 4);

/** The result type of the functions ceil() and floor(). */
export const wholeOf = (type: Decimal): Decimal =>
  type.scale === 0 ? type : bounded(wholeDigits(type) + 1, 0);

/** The result type of the function round(). */
export function roundedOf(type: Decimal, digits: number): Decimal {
  const whole = wholeDigits(type) + 1;
  if (digits < 0) return bounded(Math.max(whole, 1 - digits), 0);
  const scale = Math.min(type.scale, digits);
  return bounded(whole + scale, scale);
}
