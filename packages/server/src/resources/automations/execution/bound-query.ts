import { encodeJson } from "@lakehelm/contract/schema";
import { fill, fillTree, placeholdersIn, type TemplateValues } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";

/** The parts of a query that are not SQL code: strings, quoted names and comments. */
const apart = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** A segment of a query: SQL code, or one string, quoted name or comment. */
interface Piece {
  readonly text: string;
  readonly kind: "sql" | "quoted" | "comment";
}

export function piecesOf(query: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: text, index } of query.matchAll(apart)) {
    pieces.push({ text: query.slice(from, index), kind: "sql" });
    pieces.push({ text, kind: text.startsWith("--") || text.startsWith("/*") ? "comment" : "quoted" });
    from = index + text.length;
  }
  return [...pieces, { text: query.slice(from), kind: "sql" }];
}

interface BoundQuery {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Generated parameter name to placeholder. */
  readonly made: ReadonlyMap<string, string>;
  /** Maps an offset in `sql` to the offset in the original query. */
  writtenAt(offset: number): number;
}

/** The position of a placeholder and of its replacement. */
interface Filled {
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
  const made = new Map<string, string>();
  const filled: Filled[] = [];
  const bind = (placeholder: string) => {
    const name = `filled_${made.size + 1}`;
    parameters[name] = plain(fillTree(placeholder, values));
    made.set(name, placeholder);
    return `:${name}`;
  };
  let sql = "";
  let written = 0;
  let start = 0;
  for (const { text: piece, kind } of piecesOf(query)) {
    for (const { text, at } of kind === "comment" ? [] : placeholdersIn(piece)) {
      const writtenFrom = start + at;
      sql += query.slice(written, writtenFrom);
      const from = sql.length;
      sql += kind === "sql" ? bind(text) : fitting(text, values);
      written = writtenFrom + text.length;
      filled.push({ from, to: sql.length, writtenFrom, writtenTo: written });
    }
    start += piece.length;
  }
  sql += query.slice(written);
  const writtenAt = (offset: number) => {
    const before = filled.findLast(({ from }) => from <= offset);
    if (!before) return offset;
    return offset < before.to ? before.writtenFrom : before.writtenTo + offset - before.to;
  };
  return { sql, parameters, made, writtenAt };
}

/** The value of a placeholder between quotes; rejects values that could end the quotes. */
function fitting(placeholder: string, values: TemplateValues): string {
  const text = fill(placeholder, values);
  if (!/['"`\\\0]/.test(text)) return text;
  throw new PermanentError(
    `The value of ${placeholder} has a quote or a backslash in it: use it without quotes around.`,
  );
}

/** Objects and arrays are passed as JSON text. */
const plain = (value: unknown) => (typeof value === "object" && value !== null ? encodeJson(value) : value);
