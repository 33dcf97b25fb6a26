import { columnNameProblem } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import type { DatabaseDialect } from "./dialects/dialect.ts";

export interface TargetName {
  readonly schema: string;
  readonly table: string;
}

const part = '"(?:[^"]|"")+"|`(?:[^`]|``)+`|\\[(?:[^\\]]|\\]\\])+\\]|[^."`[\\]]+';
const whole = new RegExp(`^(?:(${part})\\.)?(${part})$`, "u");

/** Parses `table` or `schema.table`. A part that contains a dot must be quoted, in the style of any database. */
export function readTargetName(
  text: string,
  dialect: DatabaseDialect,
  schema: string,
): TargetName | { readonly problem: string } {
  const found = whole.exec(text);
  if (!found) return { problem: `${shown(text)} is not a table name. Expected table or schema.table.` };
  const name = {
    schema: found[1] === undefined ? schema : unquoted(found[1]),
    table: unquoted(found[2] ?? ""),
  };
  const problem =
    namePartProblem(name.schema, dialect, "") ?? namePartProblem(name.table, dialect, "_rejects");
  return problem ? { problem: `${shown(text)} cannot be used: ${problem}` } : name;
}

const unquoted = (text: string) =>
  /^["`[]/.test(text) ? text.slice(1, -1).replace(/(["`\]])\1/g, "$1") : text;

function namePartProblem(name: string, { longestName }: DatabaseDialect, suffix: string): string | undefined {
  const problem = columnNameProblem(name);
  if (problem) return problem;
  if (name.includes("%")) return `the name ${shown(name)} contains "%", which database drivers replace.`;
  if (/^lakehelm_/i.test(name))
    return `names that begin with "lakehelm_" are reserved for the connector's own tables.`;
  const { most, unit } = longestName;
  const length = unit === "bytes" ? Buffer.byteLength(name + suffix, "utf8") : [...(name + suffix)].length;
  const longest = most - suffix.length;
  return length > most ? `the name ${shown(name)} is longer than ${longest} ${unit}.` : undefined;
}
