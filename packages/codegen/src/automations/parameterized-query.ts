import { segmentsOf } from "@lakehelm/sql/segments";
import { replacePlaceholders } from "./references.ts";

interface ParameterizedQuery {
  readonly sql: string;
  /** Placeholders by the names of their markers. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * A query whose placeholders are parameters such as `:filled_1`, never SQL: their values can come from another server.
 * Placeholders in a string or a quoted name stay unchanged.
 */
export function parameterizedQuery(query: string): ParameterizedQuery {
  const parameters: Record<string, string> = {};
  let count = 0;
  const bind = (placeholder: string) => {
    count += 1;
    parameters[`filled_${count}`] = placeholder;
    return `:filled_${count}`;
  };
  const sql = segmentsOf(query).map(({ text, kind }) =>
    kind === "sql" ? replacePlaceholders(text, bind) : text,
  );
  return { sql: sql.join(""), parameters };
}
