const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

export interface Instant {
  /** `2026-01-31 23:59:59.000000` in UTC, so that texts compare as times do. */
  readonly text: string;
  /** It was written as a day, without a time. */
  readonly isDay: boolean;
}

/** A day or a time as ISO 8601 and SQL write them, in UTC unless it says otherwise; undefined: none, or finer than microseconds. */
export function instant(written: string): Instant | undefined {
  const parts = pattern.exec(written.trim());
  if (!parts) return undefined;
  const [, year = "", month = "", day = "", hour, minute = "00", second = "00", fraction = "", offset = "Z"] =
    parts;
  const read = new Date(`${year}-${month}-${day}T${hour ?? "00"}:${minute}:${second}Z`);
  // Date.parse takes the 31st of February for a day in March.
  if (Number.isNaN(read.getTime()) || read.getUTCDate() !== Number(day) || Number(hour) > 23)
    return undefined;
  if (/[1-9]/.test(fraction.slice(6))) return undefined;
  const utc = new Date(read.getTime() - offsetMs(offset));
  if (utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999) return undefined;
  const seconds = utc.toISOString().slice(0, 19).replace("T", " ");
  return { text: `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}`, isDay: hour === undefined };
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? -size : size;
}
