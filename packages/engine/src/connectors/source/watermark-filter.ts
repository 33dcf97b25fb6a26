import { instant } from "./instant.ts";

/** Whether a value is at the mark or above it. What has no value, or none that can be compared, is read. */
export function isSince(type: string, mark: string): (value: string | null) => boolean {
  const place = placing(type);
  const from = place(mark);
  return (value) => {
    const at = value === null ? undefined : place(value);
    return at === undefined || from === undefined || at >= from;
  };
}

function placing(type: string): (text: string) => bigint | number | string | undefined {
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type)) {
    return (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined);
  }
  if (/^(FLOAT|DOUBLE|DECIMAL)/.test(type)) {
    return (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  }
  if (/^(DATE|TIMESTAMP)/.test(type)) return (text) => instant(text)?.text;
  return (text) => text;
}
