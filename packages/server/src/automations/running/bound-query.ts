import { fill, fillTree, placeholdersIn, type TemplateValues } from "../templates.ts";
import { Lasting } from "./lasting.ts";

/** Where SQL is not read as SQL: texts, quoted names and comments. */
const apart = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

interface BoundQuery {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * A query with its placeholders filled. They may stand for what another server has answered, so none of them becomes SQL: one
 * in a text or a quoted name must fit in there, and one elsewhere is handed over as a value, beside the query.
 */
export function boundQuery(query: string, values: TemplateValues): BoundQuery {
  const parameters: Record<string, unknown> = {};
  const bind = (text: string) =>
    placeholdersIn(text)
      .reverse()
      .reduce((sql, { text: placeholder, at }) => {
        const name = `filled_${Object.keys(parameters).length + 1}`;
        parameters[name] = plain(fillTree(placeholder, values));
        return `${sql.slice(0, at)}:${name}${sql.slice(at + placeholder.length)}`;
      }, text);
  let sql = "";
  let from = 0;
  for (const { 0: part, index } of query.matchAll(apart)) {
    sql += bind(query.slice(from, index)) + within(part, values);
    from = index + part.length;
  }
  return { sql: sql + bind(query.slice(from)), parameters };
}

function within(part: string, values: TemplateValues): string {
  if (part.startsWith("--") || part.startsWith("/*")) return part;
  for (const { text } of placeholdersIn(part)) {
    if (/['"`\\\0]/.test(fill(text, values))) {
      throw new Lasting(
        `The value of ${text} has a quote or a backslash in it: use it without quotes around.`,
      );
    }
  }
  return fill(part, values);
}

/** What is no plain value goes as its JSON text. */
const plain = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;
