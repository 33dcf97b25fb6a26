import { quoteIdentifier } from "@lakehelm/sql/names";
import { qualified } from "../expressions.ts";
import type { FlowColumn } from "../flow.ts";

/** The types that a business date can be read from. */
export const dateTypes = new Set(["DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "STRING"]);

/** The date of a row. A string that is not a date becomes NULL instead of an error. */
export function dateOf({ name, type }: FlowColumn, alias?: string): string {
  const column = alias ? qualified(alias, name) : quoteIdentifier(name);
  if (type.name === "DATE") return column;
  return type.name === "STRING" ? `try_cast(${column} AS DATE)` : `CAST(${column} AS DATE)`;
}
