import type { Problem } from "../../editor/editor.ts";

const placed = /^(\w+), line (\d+), column (\d+): ([\s\S]*)/;

/** The mistakes that belong to a field: the generator begins them with its name. */
export function problemsOf(errors: readonly string[], field: string): readonly Problem[] {
  return errors.flatMap((error) => {
    const [, name, line, column, message = ""] = placed.exec(error) ?? [];
    return name === field ? [{ line: Number(line), column: Number(column), message }] : [];
  });
}

/** In one sentence for a plain field. */
export const messageOf = (errors: readonly string[], field: string): string | undefined =>
  errors.find((error) => new RegExp(`^${field}\\b`).test(error));
