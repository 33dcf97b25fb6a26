import { locatorOf, readMetadataStatement, readSqlFile } from "@lakehelm/sql";
import type { MetadataChange } from "../../protocol/catalog.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { WarehouseScope } from "../../protocol/scope.ts";
import type { Warehouse } from "../warehouse.ts";
import { changeMetadataOfTables } from "./metadata.ts";

/** Does what the text of an alter-metadata artifact says: all of it, or nothing. */
export const applyMetadata = async (
  warehouse: Warehouse,
  scope: WarehouseScope,
  sql: string,
): Promise<{ changed: boolean }> => changeMetadataOfTables(warehouse, metadataChanges(scope, sql));

/** One change for each statement, in their order. */
function metadataChanges(scope: WarehouseScope, sql: string): MetadataChange[] {
  const { statements, problems } = readSqlFile(sql);
  const [wrong] = problems;
  if (wrong) throw problem(sql, wrong.at, wrong.message);
  return statements.map(({ text, at }) => {
    const { meaning, problem: unsound } = readMetadataStatement(text);
    if (!meaning) throw problem(sql, at, `in this statement: ${unsound}`);
    const [table = "", schema = scope.schema, catalog = scope.catalog] = [...meaning.table].reverse();
    return { scope, catalog, schema, table, columns: [], ...describedChange(meaning) };
  });
}

type MetadataStatement = NonNullable<ReturnType<typeof readMetadataStatement>["meaning"]>;

/** What such a statement says of its table. */
export function describedChange(meaning: MetadataStatement): Partial<MetadataChange> {
  switch (meaning.kind) {
    case "tableComment":
      return { comment: meaning.text };
    case "tableTags":
      return { tags: set(meaning.set) };
    case "tableTagsUnset":
      return { tags: unset(meaning.unset) };
    case "columnComment":
      return { columns: [{ column: meaning.column, comment: meaning.text }] };
    case "columnTags":
      return { columns: [{ column: meaning.column, tags: set(meaning.set) }] };
    case "columnTagsUnset":
      return { columns: [{ column: meaning.column, tags: unset(meaning.unset) }] };
  }
}

const set = (tags: readonly { readonly key: string; readonly value: string }[]): Record<string, string> =>
  Object.fromEntries(tags.map(({ key, value }) => [key, value]));
const unset = (keys: readonly string[]): Record<string, null> =>
  Object.fromEntries(keys.map((key) => [key, null]));

function problem(sql: string, at: number, message: string): DataProblem {
  const position = locatorOf(sql)(at);
  return new DataProblem(`Line ${position.line}, column ${position.column}: ${message}`, { position });
}
