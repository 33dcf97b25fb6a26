import { InvalidArgumentError } from "commander";

/** `column=value`. A name with `=` in it is in backticks. */
export function readPair(text: string, what: string): readonly [column: string, value: string] {
  const quoted = /^`((?:[^`]|``)+)`=(.+)$/s.exec(text);
  const [, column, value] = quoted ?? /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (column === undefined || value === undefined) throw new InvalidArgumentError(`Write it as ${what}.`);
  return [quoted ? column.replaceAll("``", "`") : column, value];
}
