import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { isNested, parseColumnType } from "../column-type.ts";
import { ownPrefix, type TargetColumn } from "../flow.ts";
import { termsProblem, textProblem } from "./text-limits.ts";

/** The valid columns of `target_schema`. Errors of other columns are added to `problems`. */
export function readColumns(
  { target_schema: { columns } }: ConsumptionFlowInput,
  reserved: readonly string[],
  problems: string[],
): TargetColumn[] {
  if (columns.length === 0) problems.push("target_schema.columns: it is empty. A table needs a column.");
  const known = new Map<string, number>();
  return columns.flatMap((column, at) => {
    const field = `target_schema.columns[${at}]`;
    const note = (key: string, problem: string | undefined) => {
      if (problem) problems.push(`${field}.${key}: ${problem}`);
      return problem !== undefined;
    };
    const key = column.name.toLowerCase();
    const first = known.get(key);
    known.set(key, first ?? at);
    const duplicate =
      first === undefined ? undefined : `${shown(column.name)} is already target_schema.columns[${first}].`;
    const badName = note(
      "name",
      columnNameProblem(column.name) ?? reservedNameProblem(column.name, reserved) ?? duplicate,
    );
    const type = parseColumnType(column.type);
    const badType = note(
      "type",
      "problem" in type ? type.problem : keyTypeProblem(column, type.sql, isNested(type)),
    );
    note("description", textProblem(column.description));
    note("glossary_terms", termsProblem(column.glossary_terms));
    if (badName || badType || "problem" in type) return [];
    return [
      {
        name: column.name,
        type,
        description: column.description,
        notNull: column.not_null,
        isKey: column.pk,
        isPersonal: column.pii,
        terms: column.glossary_terms,
      },
    ];
  });
}

/** Why a name is reserved for the flow; undefined if it is free. */
export function reservedNameProblem(name: string, reserved: readonly string[]): string | undefined {
  const key = name.toLowerCase();
  if (reserved.some((own) => own.toLowerCase() === key)) {
    return `${shown(name)} is a column that the flow adds itself. Expected another name.`;
  }
  return key.startsWith(ownPrefix)
    ? `names that begin with "${ownPrefix}" are reserved for the flow.`
    : undefined;
}

const keyTypeProblem = (column: { readonly pk: boolean }, type: string, nested: boolean) =>
  column.pk && nested ? `a key cannot be ${type}. Expected a type of single values.` : undefined;
