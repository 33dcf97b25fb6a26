/**
 * Messages of databases that quote a value of a row, and the replacement for the quotation. A failed run shows its
 * message to readers of events, webhooks and logs, who may not be allowed to read the table. Columns, types, rules and
 * counts stay.
 */
const quotes: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // DuckDB
  [/\b(could not (?:convert|parse) )string (['"]).*?\2(?= (?:to|according to) )/gis, "$1a value"],
  [/\b(cast(?:ing)? )value .*?(?= to (?:type )?[A-Z])/gis, "$1a value"],
  [/\bType (\S+) with value .*?(?= can't be cast)/gs, "A value of the type $1"],
  [/\b(field (?:format|value out of range)): ".*?"(?=, expected)/gis, "$1"],
  [/\bDuplicate key ".*?"(?= violates)/gs, "A duplicate key"],
  [/\b(because )?key ".*?"(?= (?:does not exist|is still referenced))/gs, "$1a key"],
  [/\s*Input: ".*/gs, ""],
  [/\b(Overflow in \w+ of \S+) \(.*?\)!/gs, "$1!"],
  // Our own functions and those of Spark
  [/\b(the value )(['"]).*?\2(?= of the type | cannot be | is )/gis, "$1in it"],
  [/\bthe text .*?(?= does not have the pattern| has a % )/gis, "a text"],
  [/(ILLEGAL_DAY_OF_WEEK: ).*?(?= is no day)/gs, "$1a text"],
  [/\b(ARITHMETIC_OVERFLOW: )\S+(?= is out of range)/g, "$1a number"],
  // Values that do not fit a column
  [/(the column "(?:[^"\\]|\\.)*"): .*?(?= is not an? )/gs, "$1: a value"],
  // PostgreSQL
  [/\b(Key \([^)]*\))=\(.*?\)(?= (?:already|is |conflicts|references))/gs, "$1"],
  [/\s*\(?Failing row contains \(.*?\)\.?\)?(?=$|\n|; )/gs, ""],
  [/\b(invalid input (?:syntax|value) for [^:"]*): "(?:[^"\\]|\\.|"(?=[^.;)\s]))*"?/g, "$1"],
  [/\bvalue ".*?"(?= is out of range)/gs, "a value"],
  [/\b(date\/time field value out of range): ".*?"/gs, "$1"],
  // MySQL and MariaDB
  [/\bDuplicate entry '.*?'(?= for key)/gs, "A duplicate entry"],
  [/\b((?:Truncated )?[Ii]ncorrect [A-Za-z ]+ value): '.*?'(?= for |$|\n)/gs, "$1"],
];

/** A message without the values of rows that it quotes. */
export function withoutValues(message: string): string {
  let text = message;
  for (const [pattern, replacement] of quotes) text = text.replaceAll(pattern, replacement);
  return text;
}
