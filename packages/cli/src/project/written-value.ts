/** A value as a file of a project has it: `${` in it is no reference. */
export function writtenValue(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", "$$${");
  if (Array.isArray(value)) return value.map(writtenValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writtenValue(item)]));
}
