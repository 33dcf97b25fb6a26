/** A field of the form of a template: made from its complete example. */
export interface RequestField {
  readonly name: string;
  readonly kind: "text" | "sql" | "boolean" | "lines" | "json";
}

type Values = Readonly<Record<string, string>>;

const isLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\n"));

const kindOf = (name: string, value: unknown): RequestField["kind"] => {
  if (name.endsWith("_sql")) return "sql";
  if (typeof value === "boolean") return "boolean";
  if (isLines(value)) return "lines";
  return typeof value === "string" ? "text" : "json";
};

export const fieldsOf = (example: Readonly<Record<string, unknown>>): readonly RequestField[] =>
  Object.entries(example).map(([name, value]) => ({ name, kind: kindOf(name, value) }));

/** The values of the form: a list of texts has a line for each, other lists and maps are JSON. */
export const valuesOf = (example: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === "string" ? value : isLines(value) ? value.join("\n") : JSON.stringify(value, null, 2),
    ]),
  );

export interface FieldProblem {
  readonly name: string;
  readonly message: string;
}

/** The request that a form means. An empty field is left out; what is not JSON is a problem of its field. */
export function requestOf(
  fields: readonly RequestField[],
  values: Values,
): { readonly body: Readonly<Record<string, unknown>>; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const entries = fields.flatMap(({ name, kind }): [string, unknown][] => {
    const text = values[name] ?? "";
    if (text.trim() === "") return [];
    if (kind === "text" || kind === "sql") return [[name, text]];
    if (kind === "lines") return [[name, text.split("\n").flatMap((line) => line.trim() || [])]];
    try {
      return [[name, JSON.parse(text)]];
    } catch (error) {
      problems.push({ name, message: `This is not JSON: ${error instanceof Error ? error.message : error}` });
      return [];
    }
  });
  return { body: Object.fromEntries(entries), problems };
}

/** `target_schema` becomes `Target schema`. */
export const labelOf = (name: string): string => {
  const text = name.replaceAll("_", " ").replace(/\bsql\b/, "SQL");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
