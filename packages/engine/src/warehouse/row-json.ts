/** Parses a row that DuckDB wrote as JSON. An integer that a double cannot hold becomes a string with all its digits. */
export function parseRow(text: string): Record<string, unknown> {
  const exact = (_: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === "number" &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
      ? source
      : value;
  return JSON.parse(text, exact) as Record<string, unknown>;
}
