/**
 * Marks for names that a notebook knows only when it runs: the environment's catalog and schema, and the table that a
 * flow publishes into. They are lone surrogates, because no other text of a request can contain these: see `isMarked`.
 */
export const catalogMark = "\udc01";
export const schemaMark = "\udc02";
export const tableMark = "\udc03";

/** The Python variables for the marks: as SQL identifiers, and unquoted. */
export const pythonNames = {
  catalog: { sql: "CATALOG", plain: "CATALOG_NAME" },
  schema: { sql: "SCHEMA", plain: "SCHEMA_NAME" },
  table: { sql: "TABLE", plain: "TABLE" },
} as const;

const namesOfMarks = { [catalogMark]: "catalog", [schemaMark]: "schema", [tableMark]: "table" } as const;

type Mark = keyof typeof namesOfMarks;

/** A mark in a text, and whether it is a quoted identifier. */
interface MarkedName {
  readonly name: keyof typeof pythonNames;
  readonly quoted: boolean;
}

/** In Unicode mode, so that the second half of a surrogate pair is not a mark. */
const marks = /(`?)([\udc01-\udc03])\1/u;

export const withoutMarks = (text: string): string => text.replace(/[\udc01-\udc03]/gu, "");

/** Whether a text contains a mark. */
export const isMarked = (text: string): boolean => marks.test(text);

/** The text between marks at even indexes, and the marks at odd indexes. */
export function splitAtMarks(text: string): readonly (string | MarkedName)[] {
  const parts = text.split(new RegExp(marks.source, "gu"));
  const found: (string | MarkedName)[] = [parts[0] ?? ""];
  for (let at = 1; at < parts.length; at += 3)
    found.push({ name: namesOfMarks[parts[at + 1] as Mark], quoted: parts[at] === "`" }, parts[at + 2] ?? "");
  return found;
}
