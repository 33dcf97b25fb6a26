import { DataProblem } from "../../protocol/problem.ts";

const part = '"(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+';
const qualifiedName = new RegExp(`^(?:(${part})\\.)?(${part})$`, "u");

/** Parses `table` or `schema.table`. Parts may be quoted. */
export function schemaAndTable(
  text: string,
  schema: string,
): { readonly schema: string; readonly table: string } {
  const found = qualifiedName.exec(text);
  if (!found) throw new DataProblem(`${text} is not a table name. Expected table or schema.table.`);
  return { schema: found[1] === undefined ? schema : unquoted(found[1]), table: unquoted(found[2] ?? "") };
}

const unquoted = (text: string) => (/^["`]/.test(text) ? text.slice(1, -1).replace(/(["`])\1/g, "$1") : text);
