/**
 * PostgreSQL's binary numeric: int16 number of digits, weight of the first digit, sign, decimal places; then digits in base
 * 10,000. The value is Σ digit · 10,000^(weight − index).
 */
const positive = 0x0000;
const negative = 0x4000;

const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const bigPowers = Array.from({ length: 80 }, (_, exponent) => 10n ** BigInt(exponent));

/** NaN and the infinities have no digits. */
export const isFiniteNumeric = (view: DataView, at: number): boolean => {
  const sign = view.getUint16(at + 4);
  return sign === positive || sign === negative;
};

/** The number times 10^scale, for up to 15 digits: a double holds it, and every intermediate result, exactly. */
export function scaledNumber(view: DataView, at: number, scale: number): number {
  const digits = view.getUint16(at);
  let exponent = 4 * view.getInt16(at + 2) + scale;
  let sum = 0;
  for (let position = at + 8; position < at + 8 + 2 * digits; position += 2) {
    const digit = view.getUint16(position);
    sum += exponent >= 0 ? digit * (powers[exponent] ?? 0) : digit / (powers[-exponent] ?? 1);
    exponent -= 4;
  }
  return view.getUint16(at + 4) === negative ? -sum : sum;
}

/** The number times 10^scale, for any number of digits. */
export function scaledBigInt(view: DataView, at: number, scale: number): bigint {
  const digits = view.getUint16(at);
  let exponent = 4 * view.getInt16(at + 2) + scale;
  let sum = 0n;
  for (let position = at + 8; position < at + 8 + 2 * digits; position += 2) {
    const digit = BigInt(view.getUint16(position));
    sum += exponent >= 0 ? digit * (bigPowers[exponent] ?? 0n) : digit / (bigPowers[-exponent] ?? 1n);
    exponent -= 4;
  }
  return view.getUint16(at + 4) === negative ? -sum : sum;
}
