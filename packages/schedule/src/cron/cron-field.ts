/** One of the six fields of a cron expression, seconds first. */
export interface CronFieldKind {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** The number of different values: in the day of week, 0 and 7 are both Sunday. */
  readonly size: number;
  /** The names of the values, from `first` on. */
  readonly names?: readonly string[];
  /** Accepts a lone `?`: no specific day. */
  readonly isDay?: true;
}

/** One entry of a field's list: `*`, `5`, `MON`, `1-5` or `5/10`, with an optional step. */
export interface CronTerm {
  readonly shape: "star" | "value" | "range" | "open";
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /** The values are written as names only. */
  readonly named: boolean;
}

export interface CronField {
  readonly kind: CronFieldKind;
  /** As the caller wrote it. */
  readonly text: string;
  readonly terms: readonly CronTerm[];
}

export const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
export const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

export const minute: CronFieldKind = { name: "minute", first: 0, last: 59, size: 60 };
export const second: CronFieldKind = { ...minute, name: "second" };
export const hour: CronFieldKind = { name: "hour", first: 0, last: 23, size: 24 };
export const dayOfMonth: CronFieldKind = { name: "day of month", first: 1, last: 31, size: 31, isDay: true };
export const month: CronFieldKind = { name: "month", first: 1, last: 12, size: 12, names: months };
export const dayOfWeek: CronFieldKind = {
  name: "day of week",
  first: 0,
  last: 7,
  size: 7,
  names: weekdays,
  isDay: true,
};

/** The values of a term, ascending; Sunday may be 0 or 7. */
export function valuesOf({ first, last, step }: CronTerm): number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}

/** Parses one field. Returns the field, or a description of its first error. */
export function parseField(text: string, kind: CronFieldKind): CronField | { problem: string } {
  if (text === "?" && kind.isDay) return { kind, text, terms: [everything(kind, 1)] };
  const terms: CronTerm[] = [];
  for (const part of text.split(",")) {
    const term = parseTerm(part, kind);
    if (typeof term === "string") return { problem: term };
    terms.push(term);
  }
  return { kind, text, terms };
}

/** Parses a term. Returns the term, or a description of its error. */
function parseTerm(text: string, kind: CronFieldKind): CronTerm | string {
  const where = `${JSON.stringify(text)} in the ${kind.name} field`;
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(text);
  if (match === null) return `${where} cannot be parsed: expected ${expected(kind)}.`;
  const [, from, to, by] = match;
  const step = by === undefined ? 1 : Number(by);
  if (step < 1) return `${where} has a step of 0: expected 1 to ${kind.size}.`;
  if (step > kind.size) {
    // Unix fires at the first value only, but a user who writes */90 in the minutes expects more.
    const last = kind.first + kind.size - 1;
    return `${where} has a step of ${by}, but the field ends at ${last}: expected 1 to ${kind.size}.`;
  }
  if (from === undefined) return everything(kind, step);

  const first = numberOf(from, kind);
  const end = to === undefined ? first : numberOf(to, kind);
  if (first === undefined || end === undefined) {
    return `${where} is not in range: expected ${expected(kind)}.`;
  }
  const named = [from, to ?? from].every((word) => !/^\d+$/.test(word));
  if (to !== undefined) {
    if (kind === dayOfWeek && to.toUpperCase() === "SUN") return endsOnSunday(where, first);
    if (end < first) {
      return `${where} runs backwards: expected the lower value first${around(first, end, step, kind)}.`;
    }
    return { shape: "range", first, last: end, step, named };
  }
  if (by === undefined) return { shape: "value", first, last: first, step, named };
  if (kind === dayOfWeek && first > 0 && (kind.last - first) % step === 0) {
    return `${where} is ambiguous, because Sunday is 0 and 7: write where it ends, "${first}-6/${step}" or "${first}-7/${step}".`;
  }
  return { shape: "open", first, last: kind.last, step, named };
}

/** `*` ends with Saturday, because day 7 is Sunday, as is day 0. */
function everything(kind: CronFieldKind, step: number): CronTerm {
  return { shape: "star", first: kind.first, last: kind.first + kind.size - 1, step, named: false };
}

function numberOf(word: string, kind: CronFieldKind): number | undefined {
  const position = kind.names?.indexOf(word.toUpperCase()) ?? -1;
  const value = /^\d+$/.test(word) ? Number(word) : position < 0 ? Number.NaN : kind.first + position;
  return value >= kind.first && value <= kind.last ? value : undefined;
}

function expected({ first, last, names }: CronFieldKind): string {
  const named = names ? ` or ${names[0]} to ${names.at(-1)}` : "";
  return `${first} to ${last}${named}, *, a range or a list of these, with an optional /step`;
}

/** Some cron implementations read SUN as day 0, so that FRI-SUN is an inverted range; others read it as day 7. */
function endsOnSunday(where: string, first: number): string {
  const instead = first === 0 ? `"SUN" for Sundays, or "*" for every day` : `"${first}-7"`;
  return `${where} ends on SUN, which can mean day 0 or day 7: write ${instead}.`;
}

function around(first: number, end: number, step: number, { first: low, last, size }: CronFieldKind): string {
  if (step > 1) return "";
  const high = Math.min(last, low + size - 1);
  const run = (a: number, b: number) => (a === b ? `${a}` : `${a}-${b}`);
  return first > high ? "" : `; to wrap around, write "${run(first, high)},${run(low, end)}"`;
}
