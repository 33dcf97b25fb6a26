export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}
export type Cell = unknown;

/** A value as the grid and a CSV file show it; null is empty. */
export function textOf(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));
}

export const isNumeric = (type: string): boolean =>
  /^(?:BIGINT|INT|INTEGER|SMALLINT|TINYINT|DOUBLE|FLOAT|DECIMAL)/i.test(type);
