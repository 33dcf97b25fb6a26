import { instant } from "./instant.ts";

/** Whether a value is at or above the watermark. Values that are missing or cannot be compared are included. */
export function isSince(type: string, watermark: string): (value: string | null) => boolean {
  const toComparable = comparable(type);
  const from = toComparable(watermark);
  return (value) => {
    const at = value === null ? undefined : toComparable(value);
    return at === undefined || from === undefined || at >= from;
  };
}

function comparable(type: string): (text: string) => bigint | number | string | undefined {
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type)) {
    return (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined);
  }
  if (/^(FLOAT|DOUBLE|DECIMAL)/.test(type)) {
    return (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  }
  if (/^(DATE|TIMESTAMP)/.test(type)) return (text) => instant(text)?.text;
  return (text) => text;
}
