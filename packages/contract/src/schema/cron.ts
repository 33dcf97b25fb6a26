interface CronFieldRange {
  first: number;
  last: number;
  /** The first name has the value `first`. */
  names?: readonly string[];
  /** `?` (no particular day) is allowed. */
  isDay?: boolean;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const second: CronFieldRange = { first: 0, last: 59 };
const fiveFields: readonly CronFieldRange[] = [
  { first: 0, last: 59 },
  { first: 0, last: 23 },
  { first: 1, last: 31, isDay: true },
  { first: 1, last: 12, names: months },
  { first: 0, last: 7, names: weekdays, isDay: true },
];

/** Five fields, or six with seconds first. Does not check that the date exists. */
export function isCron(expression: string): boolean {
  const parts = expression.split(/\p{White_Space}+/u).filter((part) => part !== "");
  const fields = parts.length === 6 ? [second, ...fiveFields] : fiveFields;
  return parts.length === fields.length && fields.every((field, index) => isField(parts[index] ?? "", field));
}

function isField(part: string, field: CronFieldRange): boolean {
  return (part === "?" && field.isDay === true) || part.split(",").every((term) => isTerm(term, field));
}

/** `*`, `5`, `MON` or `1-5`, optionally with `/step`. */
function isTerm(term: string, field: CronFieldRange): boolean {
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(term);
  if (match === null) return false;
  const [, from, to, step] = match;
  if (step !== undefined && Number(step) < 1) return false;
  if (from === undefined) return true;
  const start = numberOf(from, field);
  const end = to === undefined ? start : numberOf(to, field);
  return start >= field.first && start <= end && end <= field.last;
}

/** NaN, which is in no range, if the word is neither a number nor a name of the field. */
function numberOf(word: string, field: CronFieldRange): number {
  if (/^\d+$/.test(word)) return Number(word);
  const position = field.names?.indexOf(word.toUpperCase()) ?? -1;
  return position < 0 ? Number.NaN : field.first + position;
}
