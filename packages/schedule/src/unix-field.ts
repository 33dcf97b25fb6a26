/** One of the six fields of a cron expression, seconds first. */
export interface FieldKind {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** How many different values there are: in the day of week, 0 and 7 are both Sunday. */
  readonly size: number;
  /** The first stands for `first`. */
  readonly names?: readonly string[];
  /** `?`, no particular day, may stand alone. */
  readonly isDay?: true;
}

/** A part of a field's list: `*`, `5`, `MON`, `1-5`, `5/10`, each perhaps with a step. */
export interface Term {
  readonly shape: "star" | "value" | "range" | "open";
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /** Written with names alone. */
  readonly named: boolean;
}

export interface UnixField {
  readonly kind: FieldKind;
  /** As the caller wrote it. */
  readonly text: string;
  readonly terms: readonly Term[];
}

export const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
export const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

export const minute: FieldKind = { name: "minute", first: 0, last: 59, size: 60 };
export const second: FieldKind = { ...minute, name: "second" };
export const hour: FieldKind = { name: "hour", first: 0, last: 23, size: 24 };
export const dayOfMonth: FieldKind = { name: "day of month", first: 1, last: 31, size: 31, isDay: true };
export const month: FieldKind = { name: "month", first: 1, last: 12, size: 12, names: months };
export const dayOfWeek: FieldKind = {
  name: "day of week",
  first: 0,
  last: 7,
  size: 7,
  names: weekdays,
  isDay: true,
};

/** The values a term stands for, in its own order; a Sunday may be 0 or 7. */
export function valuesOf({ first, last, step }: Term): number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}

/** Reads one field, or says what its first mistake is. */
export function readField(text: string, kind: FieldKind): UnixField | { problem: string } {
  if (text === "?" && kind.isDay) return { kind, text, terms: [everything(kind, 1)] };
  const terms: Term[] = [];
  for (const part of text.split(",")) {
    const term = readTerm(part, kind);
    if (typeof term === "string") return { problem: term };
    terms.push(term);
  }
  return { kind, text, terms };
}

/** A term, or what is wrong with it. */
function readTerm(text: string, kind: FieldKind): Term | string {
  const where = `${JSON.stringify(text)} in the ${kind.name} field`;
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(text);
  if (match === null) return `${where} is not understood: expected ${expected(kind)}.`;
  const [, from, to, by] = match;
  const step = by === undefined ? 1 : Number(by);
  if (step < 1) return `${where} has a step of 0: expected 1 to ${kind.size}.`;
  if (step > kind.size) {
    // Unix fires at the first value alone; who writes */90 in the minutes hopes for more.
    const last = kind.first + kind.size - 1;
    return `${where} has a step of ${by}, but counting starts over after ${last}: expected 1 to ${kind.size}.`;
  }
  if (from === undefined) return everything(kind, step);

  const first = numberOf(from, kind);
  const end = to === undefined ? first : numberOf(to, kind);
  if (first === undefined || end === undefined) {
    return `${where} is out of range or unknown: expected ${expected(kind)}.`;
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
    return `${where} is read in two ways, with and without the Sunday at its end: write where it ends, "${first}-6/${step}" or "${first}-7/${step}".`;
  }
  return { shape: "open", first, last: kind.last, step, named };
}

/** `*` ends with Saturday: the second Sunday would only be the first one again. */
function everything(kind: FieldKind, step: number): Term {
  return { shape: "star", first: kind.first, last: kind.first + kind.size - 1, step, named: false };
}

function numberOf(word: string, kind: FieldKind): number | undefined {
  const position = kind.names?.indexOf(word.toUpperCase()) ?? -1;
  const value = /^\d+$/.test(word) ? Number(word) : position < 0 ? Number.NaN : kind.first + position;
  return value >= kind.first && value <= kind.last ? value : undefined;
}

function expected({ first, last, names }: FieldKind): string {
  const named = names ? ` or ${names[0]} to ${names.at(-1)}` : "";
  return `${first} to ${last}${named}, *, a range or a list of these, perhaps with a /step`;
}

/** As a name SUN is day 0 to some crons, so that FRI-SUN runs backwards, and day 7 to others. */
function endsOnSunday(where: string, first: number): string {
  const instead = first === 0 ? `"SUN" for Sundays, or "*" for every day` : `"${first}-7"`;
  return `${where} ends on SUN, which is read as day 0 or as day 7: write ${instead}.`;
}

function around(first: number, end: number, step: number, { first: low, last, size }: FieldKind): string {
  if (step > 1) return "";
  const high = Math.min(last, low + size - 1);
  const run = (a: number, b: number) => (a === b ? `${a}` : `${a}-${b}`);
  return first > high ? "" : `; to go around, write "${run(first, high)},${run(low, end)}"`;
}
