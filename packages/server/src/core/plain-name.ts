import { nameProblem, shown } from "@lakehelm/contract/text";
import { conflict } from "./errors.ts";

/**
 * Throws 409 for a name that can be mistaken for another name. `field` is the field of the request that has the name.
 */
export function requirePlainName(field: string, name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw conflict(`${field}: ${shown(name)} ${problem}.`);
}
