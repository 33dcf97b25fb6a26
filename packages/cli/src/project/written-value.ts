/** A value in the form for a project's file: `${` is escaped, so that it is not read as a reference. */
export function writtenValue(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", "$$${");
  if (Array.isArray(value)) return value.map(writtenValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writtenValue(item)]));
}
