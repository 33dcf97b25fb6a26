/**
 * Writes a number with `scale` decimal places as PostgreSQL's binary numeric: int16 number of digits, weight of the first
 * digit, sign, decimal places; then digits in base 10,000, grouped from the decimal point. Leading and trailing zeros are
 * omitted.
 */
const negative = 0x4000;
const base = 10_000;
/** The digits of a number, the last one first. Enough for 128 bits and a shift. */
const digits = new Uint16Array(16);

/** Writes a number of up to 15 digits, which a double holds. Returns the end offset. */
export function writeNumber(view: DataView, at: number, scaled: number, scale: number): number {
  let rest = Math.abs(scaled);
  const shift = shiftOf(scale);
  // The last group is padded with zeros. The product may exceed a double, so this group is split off first.
  let count = 0;
  if (shift > 1) {
    const group = base / shift;
    digits[count++] = (rest % group) * shift;
    rest = Math.floor(rest / group);
  }
  while (rest > 0) {
    digits[count++] = rest % base;
    rest = Math.floor(rest / base);
  }
  return writeDigits(view, at, count, scale, scaled < 0);
}

/** Writes any 128-bit number. Returns the end offset. */
export function writeBigInt(view: DataView, at: number, scaled: bigint, scale: number): number {
  let rest = (scaled < 0n ? -scaled : scaled) * BigInt(shiftOf(scale));
  let count = 0;
  while (rest > 0n) {
    digits[count++] = Number(rest % 10_000n);
    rest /= 10_000n;
  }
  return writeDigits(view, at, count, scale, scaled < 0n);
}

const shiftOf = (scale: number): number => 10 ** ((4 - (scale % 4)) % 4);

function writeDigits(view: DataView, at: number, count: number, scale: number, isNegative: boolean): number {
  const groupsAfterPoint = Math.ceil(scale / 4);
  let high = count;
  while (high > 0 && digits[high - 1] === 0) high -= 1;
  let low = 0;
  while (low < high && digits[low] === 0) low += 1;
  const length = high - low;
  view.setInt16(at, length);
  view.setInt16(at + 2, length === 0 ? 0 : high - 1 - groupsAfterPoint);
  view.setInt16(at + 4, isNegative && length > 0 ? negative : 0);
  view.setInt16(at + 6, scale);
  let position = at + 8;
  for (let digit = high - 1; digit >= low; digit--) {
    view.setInt16(position, digits[digit] ?? 0);
    position += 2;
  }
  return position;
}
