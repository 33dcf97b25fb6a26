import { locatorOf, type MetadataStatement, readMetadataStatement, readSqlFile } from "@lakehelm/sql";
import type { CatalogMetadataChange } from "./catalog.ts";
import { DataProblem } from "./problem.ts";
import type { WarehouseScope } from "./scope.ts";

/** The changes of an alter-metadata artifact: one per statement, in order. Throws a DataProblem for any other statement. */
export function metadataChanges(scope: WarehouseScope, sql: string): CatalogMetadataChange[] {
  const { statements, problems } = readSqlFile(sql);
  const [first] = problems;
  if (first) throw problemAt(sql, first.at, first.message);
  return statements.map(({ text, at }) => {
    const { meaning, problem } = readMetadataStatement(text);
    if (!meaning) throw problemAt(sql, at, `in this statement: ${problem}`);
    const [table = "", schema = scope.schema, catalog = scope.catalog] = [...meaning.table].reverse();
    return { scope, catalog, schema, table, columns: [], ...describedChange(meaning) };
  });
}

/** The change that a statement makes to its table. */
export function describedChange(meaning: MetadataStatement): Partial<CatalogMetadataChange> {
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

function problemAt(sql: string, at: number, message: string): DataProblem {
  const position = locatorOf(sql)(at);
  return new DataProblem(`Line ${position.line}, column ${position.column}: ${message}`, { position });
}
