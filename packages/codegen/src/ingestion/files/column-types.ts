import { type ColumnTypes, readDeclaredColumns } from "@lakehelm/contract/column-types";
import { shown } from "@lakehelm/contract/text";
import type { IngestedTable } from "../source-kind.ts";

/** Whether any table has declared types, and whether the types of undeclared columns are inferred. */
export interface TypeSettings {
  readonly declared: boolean;
  readonly inferred: boolean;
}

/** Reads `columns` of the config. Returns the declared types of each table. */
export function readColumnTypes(
  columns: unknown,
  tables: readonly IngestedTable[],
): { readonly types: readonly ColumnTypes[]; readonly problems: readonly string[] } {
  const declared = readDeclaredColumns(columns);
  const unknown = declared.tables.filter(
    (name) => !tables.some(({ source, target }) => name === source || name === target),
  );
  return {
    types: tables.map(({ source, target }) => declared.typesOf(source, target).types),
    problems: [
      ...declared.problems,
      ...unknown.map(
        (name) => `connection.config.columns: ${shown(name)} is not a source_dataset or target_name.`,
      ),
    ],
  };
}
