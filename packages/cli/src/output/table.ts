import { oneLine } from "./escape.ts";
import { toJson } from "./json.ts";

/** The value at a dotted path; undefined if a part of the path is missing. */
export function at(item: unknown, path: string): unknown {
  let value = item;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The first line of a text, with "…" if there are more. */
export function firstLine(text: string): string {
  const [first = "", ...more] = text.trim().split(/\r?\n/);
  return more.length === 0 ? first : `${first.trimEnd()} …`;
}

/** A value on one line. Null and absent values are empty, lists of names are joined by commas. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return oneLine(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    return value.map(cellOf).join(", ");
  }
  return oneLine(toJson(value, 0));
}

/** `cause.trigger` is TRIGGER. */
const headOf = (column: string) =>
  oneLine(column.slice(column.lastIndexOf(".") + 1))
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase();

const widthOf = (text: string) => [...text].length;

export interface TableStyle {
  /** The longest cell; a longer one is cut, because a terminal would wrap it. Undefined: no limit. */
  readonly longestCell?: number | undefined;
  readonly bold: (text: string) => string;
  /** Whether a cell shows only the first line of its text. */
  readonly isBrief?: boolean;
  /** For names that users chose: they are not changed. */
  readonly heads?: "as they are";
}

/** Prints rows in batches. The first batch determines the widths, so that the rest can be printed as it arrives. */
export function createTable(
  heads: readonly string[] | undefined,
  { longestCell, bold, isBrief = false, heads: form }: TableStyle,
) {
  let widths: readonly number[] | undefined;
  const shorten = (cell: string) =>
    longestCell === undefined || widthOf(cell) <= longestCell
      ? cell
      : `${[...cell].slice(0, longestCell - 1).join("")}…`;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === cells.length - 1
          ? cell
          : cell + " ".repeat(Math.max(0, (widths?.[column] ?? 0) - widthOf(cell))),
      )
      .join("  ")
      .trimEnd();
  return (rows: readonly (readonly unknown[])[]): string => {
    const brief = (value: unknown) => (isBrief && typeof value === "string" ? firstLine(value) : value);
    const cells = rows.map((row) => row.map((value) => shorten(cellOf(brief(value)))));
    const isFirst = widths === undefined;
    const head = isFirst && heads ? [heads.map(form ? oneLine : headOf)] : [];
    widths ??= columnWidths([...head, ...cells]);
    return [...head.map((names) => bold(line(names))), ...cells.map(line)]
      .map((text) => `${text}\n`)
      .join("");
  };
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return widths;
}
