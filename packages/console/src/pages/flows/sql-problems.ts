import { ApiError } from "@lakehelm/contract/client";
import type { Problem } from "../../editor/editor.ts";

/** The SQL fields of a flow, with a title for the rows that they return. */
export const sqlFields = [
  { id: "matched_sql", title: "Published rows" },
  { id: "unmatched_sql", title: "Unmatched rows" },
  { id: "recheck_sql", title: "Unmatched rows that match now" },
] as const;

export type SqlField = (typeof sqlFields)[number]["id"];

const place = /\b(matched_sql|unmatched_sql|recheck_sql), line (\d+), column (\d+): /g;

/** The errors that the server found, with their locations: `matched_sql, line 3, column 8: …`. */
export function sqlProblems(error: Error | undefined, field: SqlField): readonly Problem[] {
  if (!error) return [];
  const text = error instanceof ApiError ? (error.detail ?? error.message) : error.message;
  const found = [...text.matchAll(place)];
  return found.flatMap((match, at) => {
    if (match[1] !== field) return [];
    const end = found[at + 1]?.index ?? text.length;
    const message = text.slice(match.index + match[0].length, end).trim();
    return [{ line: Number(match[2]), column: Number(match[3]), message }];
  });
}
