import type { NameDefaults } from "../names/table-name.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { analyzeQuery } from "./query-analysis.ts";
import type { TableReference } from "./query-context.ts";

/**
 * Where a query names these tables (`catalog.schema.table`, in lower case), in the order of the text. Names of CTEs are
 * not included.
 */
export function tableReferences(
  parser: SqlParser,
  text: string,
  tables: Iterable<string>,
  { catalog, schema }: NameDefaults,
): readonly TableReference[] {
  const { references } = analyzeQuery(parser, text, {
    catalog,
    schema,
    declared: new Map([...tables].map((name) => [name, undefined])),
    types: new Map(),
    invalid: new Set(),
    unknownTable: (name) => `there is no table ${name}.`,
    isNamed: false,
    isChosenByName: true,
  });
  return references.toSorted((one, other) => one.start - other.start);
}
