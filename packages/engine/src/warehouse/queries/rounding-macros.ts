/**
 * Spark rounds a DOUBLE by its shortest decimal text: 1.005 to 1.01, although the binary value is a little less. A
 * number that is half way by its text equals the DOUBLE nearest to that half way. So the number is compared with this
 * DOUBLE, which needs no text.
 */

const power = "pow(10.0::DOUBLE, abs(digits))";

/** Rounds away from zero where `isUp` holds for the digits below (`whole`) and the value half way (`middle`). */
function rounded(isUp: (whole: string, middle: string) => string): string {
  const by = (whole: string, middle: string, back: string): string =>
    `CASE WHEN number < 0 THEN -1 ELSE 1 END * (${whole} + CASE WHEN ${isUp(whole, middle)} THEN 1 ELSE 0 END) ${back} ${power} + 0.0::DOUBLE`;
  const [decimals, tens] = [`floor(abs(number) * ${power})`, `floor(abs(number) / ${power})`];
  return (
    `CASE WHEN digits >= 0 THEN CASE WHEN abs(number) * ${power} < 4503599627370496 THEN ${by(decimals, `(${decimals} + 0.5) / ${power}`, "/")} ELSE number END ` +
    `WHEN isfinite(number) AND digits > -309 THEN ${by(tens, `(${tens} + 0.5) * ${power}`, "*")} WHEN isfinite(number) THEN 0.0::DOUBLE ELSE number END`
  );
}

/** Half of a power of ten decides. The result must fit the type of `number`. */
const roundedWhole = (isUp: string): string =>
  `CASE WHEN digits >= 0 THEN number ELSE cast_to_type(list_transform([{'n': number::HUGEINT, 'p': CAST(pow(10.0::DOUBLE, least(abs(digits), 30)) AS HUGEINT)}], lambda one: (one.n // one.p + CASE WHEN ${isUp} THEN CASE WHEN one.n < 0 THEN -1 ELSE 1 END ELSE 0 END) * one.p)[1], number) END`;

export const roundingMacros: readonly string[] = [
  `round_whole(number, digits) AS ${roundedWhole("abs(one.n % one.p) * 2 >= one.p")}`,
  `bround_whole(number, digits) AS ${roundedWhole("abs(one.n % one.p) * 2 > one.p OR (abs(one.n % one.p) * 2 = one.p AND (one.n // one.p) % 2 <> 0)")}`,
  "ceil_to(number, power) AS (number // power + CASE WHEN number % power > 0 THEN 1 ELSE 0 END) * power",
  "floor_to(number, power) AS (number // power - CASE WHEN number % power < 0 THEN 1 ELSE 0 END) * power",
  `round_double(number, digits) AS ${rounded((_whole, middle) => `abs(number) >= ${middle}`)}`,
  `bround_double(number, digits) AS ${rounded((whole, middle) => `abs(number) > ${middle} OR (abs(number) = ${middle} AND ${whole} % 2 = 1)`)}`,
  // The text of a number takes ten times as long as rounding it. Up to 15 digits, half of the last one included, both agree: no two
  // such texts are the same DOUBLE. Small numbers are rounded too, because DuckDB reads 1e-05 as 0.01 if a DECIMAL has two decimals.
  "shortest_decimal(number, type, digits) AS CASE WHEN NOT isfinite(number) THEN NULL WHEN abs(number) < 0.001 OR abs(number) * pow(10.0::DOUBLE, digits) < 1e14 THEN cast_to_type(spark_round_double(number, digits), type) ELSE cast_to_type(CAST(number AS VARCHAR), type) END",
];
