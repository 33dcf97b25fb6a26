import { InvalidArgumentError } from "commander";

/** Reads `column=value`. A name that contains `=` must be in backticks. */
export function readPair(text: string, what: string): readonly [column: string, value: string] {
  const quoted = /^`((?:[^`]|``)+)`=(.+)$/s.exec(text);
  const [, column, value] = quoted ?? /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (column === undefined || value === undefined) throw new InvalidArgumentError(`Write it as ${what}.`);
  return [quoted ? column.replaceAll("``", "`") : column, value];
}
