const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

interface Instant {
  /** `2026-01-31 23:59:59.000000` in UTC, so that texts compare like times. */
  readonly text: string;
  /** Written as a date without a time. */
  readonly isDay: boolean;
}

/**
 * Parses a date or time of ISO 8601 or SQL, in UTC unless it has an offset; undefined if it is neither, or finer than
 * microseconds.
 */
export function instant(text: string): Instant | undefined {
  const parts = pattern.exec(text) ?? pattern.exec(text.trim());
  if (!parts) return undefined;
  const [, year = "", month = "", day = "", hour, minute = "00", second = "00", fraction = "", offset = "Z"] =
    parts;
  if (fraction.length > 6 && /[1-9]/.test(fraction.slice(6))) return undefined;
  const seconds = inUtc(`${year}-${month}-${day}`, `${hour ?? "00"}:${minute}:${second}`, offset);
  if (seconds === undefined) return undefined;
  return { text: `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}`, isDay: hour === undefined };
}

/** Undefined if there is no such date or time. */
function inUtc(day: string, time: string, offset: string): string | undefined {
  const isUtc = offset === "Z" || offset === "z";
  // Days up to the 28th exist in every month. This avoids the calendar, which takes longer than everything else.
  if (
    isUtc &&
    /^(?!0000)....-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.test(day) &&
    /^([01]\d|2[0-3]):[0-5]\d:[0-5]/.test(time)
  ) {
    return `${day} ${time}`;
  }
  const local = new Date(`${day}T${time}Z`);
  // Date accepts February 31 as a day in March, and 24:00 as the next day.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== day) return undefined;
  const utc = new Date(local.getTime() - offsetMs(offset));
  const year = utc.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : utc.toISOString().slice(0, 19).replace("T", " ");
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? -size : size;
}
