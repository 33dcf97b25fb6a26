import { instant } from "../../source/instant.ts";
import type { JsonRecord } from "../../source/json/exact-json.ts";

/** Patterns of DuckDB's strptime for dates and times in JSON strings. */
export interface TimeFormats {
  readonly dateFormat: string | undefined;
  readonly timestampFormat: string | undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const word = "([A-Za-z]{3,9})";

/** What each directive matches. */
const matches: Readonly<Record<string, string>> = {
  Y: String.raw`(\d{4})`,
  y: String.raw`(\d{2})`,
  m: String.raw`(\d{1,2})`,
  d: String.raw`(\d{1,2})`,
  H: String.raw`(\d{1,2})`,
  I: String.raw`(\d{1,2})`,
  M: String.raw`(\d{1,2})`,
  S: String.raw`(\d{1,2})`,
  f: String.raw`(\d{1,6})`,
  z: String.raw`(Z|[+-]\d{2}(?::?\d{2})?)`,
  p: "([AaPp][Mm])",
  B: word,
  b: word,
  A: word,
  a: word,
};

type TimeReader = (text: string) => string | undefined;

/** Why a pattern cannot be read from JSON. A directive occurs once, so that matching takes linear time. */
export function formatProblem(pattern: string): string | undefined {
  const directives = [...pattern.matchAll(/%(.?)/gs)].filter(([, letter]) => letter !== "%");
  const seen = new Set<string>();
  for (const [directive, letter = ""] of directives) {
    if (!Object.hasOwn(matches, letter)) return `${directive} is not supported for JSON.`;
    if (seen.has(letter)) return `${directive} occurs twice.`;
    seen.add(letter);
  }
  return undefined;
}

/** Reads times in a format as ISO 8601. */
function timeReader(pattern: string): TimeReader {
  const letters: string[] = [];
  const source = pattern.replace(/%(.)|[\s\S]/gu, (token, letter: string | undefined) => {
    const match = letter === undefined ? undefined : matches[letter];
    if (match === undefined) return RegExp.escape(letter === "%" ? "%" : token);
    letters.push(letter ?? "");
    return match;
  });
  const expression = new RegExp(`^${source}$`);
  return (text) => {
    const values = expression.exec(text)?.slice(1);
    return values && isoTime(new Map(letters.map((letter, at) => [letter, values[at] ?? ""])));
  };
}

/** Undefined if there is no such time. */
function isoTime(parts: ReadonlyMap<string, string>): string | undefined {
  const two = (letter: string) => parts.get(letter)?.padStart(2, "0");
  const short = parts.get("y");
  // As strptime does: 69 to 99 are in the last century.
  const year = parts.get("Y") ?? (short && `${Number(short) < 69 ? "20" : "19"}${short}`);
  const monthName = parts.get("B") ?? parts.get("b");
  const monthAt = months.indexOf(monthName?.slice(0, 3).toLowerCase() ?? "");
  const month = two("m") ?? (monthAt < 0 ? undefined : String(monthAt + 1).padStart(2, "0"));
  const day = two("d");
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const hour = hourOf(parts);
  if (hour === undefined) return instant(date) && date;
  const time = `${date} ${hour}:${two("M") ?? "00"}:${two("S") ?? "00"}.${(parts.get("f") ?? "").padEnd(6, "0")}${parts.get("z") ?? ""}`;
  return instant(time) && time;
}

function hourOf(parts: ReadonlyMap<string, string>): string | undefined {
  const half = parts.get("I");
  if (half === undefined) return parts.get("H")?.padStart(2, "0");
  if (Number(half) < 1 || Number(half) > 12) return "99";
  const isAfternoon = parts.get("p")?.toLowerCase() === "pm";
  return String((Number(half) % 12) + (isAfternoon ? 12 : 0)).padStart(2, "0");
}

/** Writes strings in the given formats as ISO 8601, in all fields or in those that `kindOf` names. Other strings stay as they are. */
export function timeConverter({
  dateFormat,
  timestampFormat,
}: TimeFormats): (record: JsonRecord, kindOf?: (name: string) => "day" | "time" | undefined) => JsonRecord {
  const day = dateFormat === undefined ? undefined : timeReader(dateFormat);
  const time = timestampFormat === undefined ? undefined : timeReader(timestampFormat);
  if (!day && !time) return (record) => record;
  return (record, kindOf) => {
    const converted: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(record)) {
      if (typeof value !== "string") continue;
      const kind = kindOf?.(name);
      if (kindOf && kind === undefined) continue;
      const read = (kind !== "time" && day?.(value)) || (kind !== "day" && time?.(value));
      if (read) converted[name] = read;
    }
    return { ...record, ...converted };
  };
}
