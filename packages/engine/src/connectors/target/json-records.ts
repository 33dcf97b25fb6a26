import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { digitsOf, kindOf, textOf } from "./type-kinds.ts";

/** How to write numbers that a double cannot hold: as JSON numbers with all digits, or as strings. */
export type LongNumbers = "numbers" | "texts";

/** Decimal digits that a double always holds. */
const digitsOfDouble = 15;

/** SQL: the row as a JSON object in one line. NULL is `null`. */
export function recordOf(columns: readonly WarehouseColumn[], long: LongNumbers): string {
  const members = columns.map((column, at) => {
    const label = `${at === 0 ? "{" : ", "}${JSON.stringify(column.name)}: `;
    return `${literal(label)} || ${nullable(column, jsonOf(column, long))}`;
  });
  // Not with ||, whose depth grows with the number of columns: DuckDB parses at most 1,000 of them.
  return `concat(${members.join(", ")}, '}')`;
}

const nullable = ({ name }: WarehouseColumn, json: string) =>
  `CASE WHEN ${quote(name)} IS NULL THEN 'null' ELSE ${json} END`;

/** SQL: the column as JSON with all its digits. */
function jsonOf(column: WarehouseColumn, long: LongNumbers): string {
  const value = quote(column.name);
  const text = textOf(column);
  const quoted = `CAST(to_json(${text}) AS VARCHAR)`;
  switch (kindOf(column.type)) {
    case "boolean":
    case "integer":
      return text;
    case "huge":
      return long === "numbers" ? text : quoted;
    case "decimal":
      return long === "numbers" || digitsOf(column.type).precision <= digitsOfDouble ? text : quoted;
    case "real":
      return `CASE WHEN isfinite(${value}) THEN ${text} ELSE ${quoted} END`;
    case "json":
      // A line break in JSON is only whitespace: in a string it would be escaped.
      return `translate(${text}, chr(10) || chr(13), '  ')`;
    case "nested":
      return text;
    default:
      return quoted;
  }
}
