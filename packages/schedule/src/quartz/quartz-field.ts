/** A field of a Quartz expression: its name and values. */
export interface QuartzFieldKind {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** The names of the values, from `first` on. */
  readonly names?: readonly string[];
  /** Whether a range may continue past the end of the field at its beginning. Ranges of years may not. */
  readonly wraps: boolean;
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The fields in the order in which they are written; the year is optional. */
export const quartzFields: readonly QuartzFieldKind[] = [
  { name: "second", first: 0, last: 59, wraps: true },
  { name: "minute", first: 0, last: 59, wraps: true },
  { name: "hour", first: 0, last: 23, wraps: true },
  { name: "day-of-month", first: 1, last: 31, wraps: true },
  { name: "month", first: 1, last: 12, wraps: true, names: monthNames },
  { name: "day-of-week", first: 1, last: 7, wraps: true, names: dayNames },
  { name: "year", first: 1970, last: 2099, wraps: false },
];

/** The values of a field other than `?`, or a description of its error. */
export function parseQuartzField(text: string, kind: QuartzFieldKind): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const some = parsePart(part, kind);
    if (typeof some === "string") return `${JSON.stringify(part)} in the ${kind.name} field ${some}.`;
    for (const value of some) values.add(value);
  }
  return values;
}

function parsePart(part: string, kind: QuartzFieldKind): number[] | string {
  const { first, last, names = [] } = kind;
  const named = /^([A-Z]{3})(?:-([A-Z]{3}))?(?:\/\d+)?$/i.exec(part);
  if (named !== null) {
    const [from, to] = [named[1], named[2] ?? named[1]].map((name = "") => names.indexOf(name.toUpperCase()));
    if (from === undefined || to === undefined || from < 0 || to < 0) {
      return `is not a valid name: expected ${names.join(", ") || "numbers"}`;
    }
    // Quartz reads three letters, a dash and three letters; it silently ignores a step after the range.
    return run(first + from, first + to, 1, kind);
  }

  const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
  if (match === null)
    return "cannot be parsed: expected *, a value, a range or a name, with an optional /step";
  const [from, to, by] = match.slice(1).map((word) => (word === undefined ? undefined : Number(word)));
  const outside = [from, to].find((value) => value !== undefined && (value < first || value > last));
  if (outside !== undefined) return `is out of range: expected ${first} to ${last}`;
  if (by === 0) return "has a step of 0";
  // After a range, Quartz accepts any step.
  const longest = first === 0 ? last : last - first + 1;
  if (by !== undefined && to === undefined && by > longest) {
    return `has a step of ${by}: expected ${longest} at most`;
  }
  if (from === undefined) return run(first, last, by ?? 1, kind);
  if (to === undefined) return by === undefined ? [from] : run(from, last, by, kind);
  if (to < from && !kind.wraps) return "runs backwards: expected the earlier year first";
  return run(from, to, by ?? 1, kind);
}

/** The values from one to another; a range that ends before it starts wraps around the end of the field. */
function run(from: number, to: number, step: number, { first, last }: QuartzFieldKind): number[] {
  const size = last - first + 1;
  const end = to < from ? to + size : to;
  const values: number[] = [];
  for (let value = from; value <= end; value += step) values.push(((value - first) % size) + first);
  return values;
}
