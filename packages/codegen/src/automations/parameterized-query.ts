import { placeholdersIn } from "./references.ts";

/** Strings, quoted names and comments. */
const quotedOrComment = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

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
  const withMarkers = (text: string) =>
    placeholdersIn(text).reduce((sql, { text: placeholder }) => {
      const name = `filled_${Object.keys(parameters).length + 1}`;
      parameters[name] = placeholder;
      return sql.replace(placeholder, () => `:${name}`);
    }, text);
  let sql = "";
  let from = 0;
  for (const { 0: part, index } of query.matchAll(quotedOrComment)) {
    sql += withMarkers(query.slice(from, index)) + part;
    from = index + part.length;
  }
  return { sql: sql + withMarkers(query.slice(from)), parameters };
}
