import type { Sql } from "./load.ts";
import { scan } from "./scan.ts";
import { itemStarts } from "./select/items.ts";
import { unitsOf } from "./source-location.ts";
import { understood } from "./understood.ts";

/** Where each entry of the outermost SELECT list of a query begins, by offsets of the text. */
export function itemPlaces(sql: Sql, text: string): readonly number[] {
  const { tokens } = scan(text);
  const [statement] = sql.parse(text).statements ?? [];
  return statement ? itemStarts(tokens, understood(statement, tokens, unitsOf(text)).named) : [];
}
