import { ApiError } from "@lakehelm/contract/client";
import type { Problem, Selection } from "../../editor/editor.ts";

const placed = /^Line (\d+), column (\d+): ([\s\S]*)/;

/**
 * The location in the editor of a query's error; undefined if the error has none. `start` is where the query begins.
 */
export function problemOf(error: Error, start: Pick<Selection, "line" | "column">): Problem | undefined {
  const [, line, column, message = ""] = (error instanceof ApiError && placed.exec(error.detail)) || [];
  if (line === undefined || column === undefined) return undefined;
  const isFirst = Number(line) === 1;
  return {
    line: Number(line) + start.line - 1,
    column: Number(column) + (isFirst ? start.column - 1 : 0),
    message,
  };
}
