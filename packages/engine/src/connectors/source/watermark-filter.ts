import { instant } from "./instant.ts";

/** Whether a value is at or above the watermark. Values that are missing or cannot be compared are included. */
export function isSince(type: string, watermark: string): (value: string | null) => boolean {
  const toComparable = comparable(type);
  const from = toComparable(watermark);
  return (value) => {
    const at = value === null ? undefined : toComparable(value);
    return at === undefined || from === undefined || isAtLeast(at, from);
  };
}

type Comparable = bigint | number | string | Buffer;

/** The warehouse orders text by its bytes; JavaScript would compare UTF-16. */
const isAtLeast = (value: Comparable, other: Comparable): boolean =>
  Buffer.isBuffer(value) && Buffer.isBuffer(other) ? Buffer.compare(value, other) >= 0 : value >= other;

/** Undefined for what is written in several ways, such as `9:00` and `09:00:00`, so that the run compares it. */
function comparable(type: string): (text: string) => Comparable | undefined {
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type)) {
    return (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined);
  }
  if (/^(FLOAT|DOUBLE|DECIMAL)/.test(type)) {
    return (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  }
  if (/^(DATE|TIMESTAMP)/.test(type)) return (text) => instant(text)?.text;
  return type === "VARCHAR" ? (text) => Buffer.from(text) : () => undefined;
}
