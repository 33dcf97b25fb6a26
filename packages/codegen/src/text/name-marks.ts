/**
 * Stand for the environment's catalog and schema in names and statements, until these become Python. Lone surrogates,
 * because no other text of a request can contain them: see `isMarked`.
 */
export const catalogMark = "\udc01";
export const schemaMark = "\udc02";

/** Python's names for the catalog and the schema: as SQL identifiers, and as they are. */
export const pythonNames = {
  catalog: { sql: "CATALOG", plain: "CATALOG_NAME" },
  schema: { sql: "SCHEMA", plain: "SCHEMA_NAME" },
} as const;

/** In Unicode mode, so that the second half of another character is no mark. */
const marks = /(`?)([\udc01\udc02])\1/u;

/** Whether a text contains a mark. */
export const isMarked = (text: string): boolean => marks.test(text);

/** The text between marks at even indexes, and at odd ones each mark with whether it is a quoted identifier. */
export function splitAtMarks(text: string): readonly (string | { mark: string; quoted: boolean })[] {
  const parts = text.split(new RegExp(marks.source, "gu"));
  const found: (string | { mark: string; quoted: boolean })[] = [parts[0] ?? ""];
  for (let at = 1; at < parts.length; at += 3)
    found.push({ mark: parts[at + 1] ?? "", quoted: parts[at] === "`" }, parts[at + 2] ?? "");
  return found;
}
