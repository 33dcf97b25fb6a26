import { nameProblem, shown } from "@lakehelm/contract/text";
import { conflict } from "./errors.ts";

/** Throws 409 for a name that another one can be mistaken for. `field` is where it was sent. */
export function requirePlainName(field: string, name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw conflict(`${field}: ${shown(name)} ${problem}.`);
}
