import type { Problem } from "../../editor/editor.ts";

const placed = /^(\w+), line (\d+), column (\d+): ([\s\S]*)/;

/** The errors of a field: the generator begins them with the field's name. */
export function problemsOf(errors: readonly string[], field: string): readonly Problem[] {
  return errors.flatMap((error) => {
    const [, name, line, column, message = ""] = placed.exec(error) ?? [];
    return name === field ? [{ line: Number(line), column: Number(column), message }] : [];
  });
}

/** The error of a plain field, as one sentence. */
export const messageOf = (errors: readonly string[], field: string): string | undefined =>
  errors.find((error) => new RegExp(`^${field}\\b`).test(error));
