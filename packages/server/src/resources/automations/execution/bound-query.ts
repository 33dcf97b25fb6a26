import { encodeJson } from "@lakehelm/contract/schema";
import { segmentsOf } from "@lakehelm/sql/segments";
import { fill, fillTree, placeholdersIn, type TemplateValues } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";

interface BoundQuery {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The placeholder for each generated parameter name. */
  readonly generated: ReadonlyMap<string, string>;
  /** Maps an offset in `sql` to the offset in the original query. */
  originalOffset(offset: number): number;
}

/** The position of a placeholder and of its replacement. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly writtenFrom: number;
  readonly writtenTo: number;
}

/**
 * A query with its placeholders filled. Values may come from another server, so none of them becomes SQL: inside a
 * string or quoted name a value must not break out of the quotes, and elsewhere it is passed as a parameter.
 */
export function boundQuery(query: string, values: TemplateValues): BoundQuery {
  const parameters: Record<string, unknown> = {};
  const generated = new Map<string, string>();
  const replacements: Replacement[] = [];
  const bind = (placeholder: string) => {
    const name = `filled_${generated.size + 1}`;
    parameters[name] = plain(fillTree(placeholder, values));
    generated.set(name, placeholder);
    return `:${name}`;
  };
  let sql = "";
  let written = 0;
  let start = 0;
  for (const { text: segment, kind } of segmentsOf(query)) {
    for (const { text, at } of kind === "comment" ? [] : placeholdersIn(segment)) {
      const writtenFrom = start + at;
      sql += query.slice(written, writtenFrom);
      const from = sql.length;
      sql += kind === "sql" ? bind(text) : quotedValue(text, values);
      written = writtenFrom + text.length;
      replacements.push({ from, to: sql.length, writtenFrom, writtenTo: written });
    }
    start += segment.length;
  }
  sql += query.slice(written);
  const originalOffset = (offset: number) => {
    const before = replacements.findLast(({ from }) => from <= offset);
    if (!before) return offset;
    return offset < before.to ? before.writtenFrom : before.writtenTo + offset - before.to;
  };
  return { sql, parameters, generated, originalOffset };
}

/** The value of a placeholder between quotes; rejects values that could end the quotes. */
function quotedValue(placeholder: string, values: TemplateValues): string {
  const text = fill(placeholder, values);
  if (!/['"`\\\0]/.test(text)) return text;
  throw new PermanentError(
    `The value of ${placeholder} contains a quote or a backslash. Use the placeholder without quotes around it.`,
  );
}

/** Objects and arrays are passed as JSON text. */
const plain = (value: unknown) => (typeof value === "object" && value !== null ? encodeJson(value) : value);
