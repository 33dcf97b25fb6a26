/** A location in a text: line and column from 1. Columns count characters, as editors do. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** A problem in a text of a request. */
export interface SqlProblem extends SourceLocation {
  /** The field of the request that contains the text, such as `matched_sql`. */
  readonly field: string;
  readonly message: string;
}

/** `matched_sql, line 3, column 5: …` */
export const describeProblem = ({ field, line, column, message }: SqlProblem): string =>
  `${field}, line ${line}, column ${column}: ${message}`;

/**
 * Returns a function that converts an offset (in UTF-16 units) to its location. The lines of the text are indexed once.
 */
export function locatorOf(text: string): (offset: number) => SourceLocation {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  // Characters of two UTF-16 units.
  const pairs = [...text.matchAll(/[\ud800-\udbff](?=[\udc00-\udfff])/g)].map(({ index }) => index);
  return (offset) => {
    const line = countBelow(starts, offset + 1);
    const start = starts[line - 1] ?? 0;
    const wide = countBelow(pairs, Math.max(start, offset - 1)) - countBelow(pairs, start);
    return { line, column: offset - start - wide + 1 };
  };
}

/** How many of these ascending numbers are less than the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `line 3, column 5` */
export function describeLocation(text: string, offset: number): string {
  const { line, column } = locatorOf(text)(offset);
  return `line ${line}, column ${column}`;
}

/** Converts character offsets of the SQL parser to UTF-16 offsets, which differ after an emoji. */
export function utf16Offsets(text: string): (characters: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (characters) => characters;
  const units: number[] = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  units.push(at);
  return (characters) => units[characters] ?? text.length;
}
