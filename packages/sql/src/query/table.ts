import { suggestion } from "@lakehelm/contract/text";
import { identifierOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { notATable } from "../vocabulary/keywords.ts";
import type { QueryContext } from "./query-context.ts";
import { openTableRow, type RowType, unknownRow } from "./row-type.ts";
import { type Ctes, type Relation, relation } from "./scope.ts";

/** Formats that read files when used as a schema: ``delta.`/a/b` ``. */
const formats = new Set([
  "delta",
  "parquet",
  "csv",
  "json",
  "orc",
  "avro",
  "text",
  "binaryfile",
  "xml",
  "iceberg",
  "hudi",
]);

/** A table name in FROM: a CTE or a declared table. */
export function tableRelation(table: SyntaxNode, ctes: Ctes, context: QueryContext): Relation {
  context.visited.add(table);
  const parts = [table.catalog, table.schema, table.name].flatMap((part) => identifierOf(part) ?? []);
  const keys = parts.map(({ name }) => name.toLowerCase());
  const [catalog = "", schema = "", name = ""] = [context.catalog, context.schema, ""]
    .map((part) => part.toLowerCase())
    .slice(0, 3 - keys.length)
    .concat(keys);
  const at = context.toOffset(parts.find(({ from }) => from !== undefined)?.from ?? 0);
  const [first] = parts;
  const written = parts.map((part) => part.name).join(".");

  const named = (rows: RowType): Relation =>
    relation([[name], [schema, name], [catalog, schema, name]], rows);
  const refused = (message: string): Relation => {
    context.report(at, message);
    return named(unknownRow(at));
  };
  const last = context.toOffset(parts.at(-1)?.to ?? 0);
  const after = context.tokens.findIndex(({ end }) => end === last) + 1;
  if (context.tokens[after]?.text === "*")
    context.report(context.tokens[after].start, "unexpected * after a table name.");
  const cte = keys.length === 1 ? ctes.get(name) : undefined;
  if (cte) return relation([[name]], cte);
  if (first && !first.quoted && notATable.has(first.name.toLowerCase()))
    return refused(`${first.name} is a keyword here: put a table name in backticks.`);
  if (first && first.from === undefined)
    return refused(`${written} has too many parts: expected catalog.schema.table.`);
  if (keys.length === 2 && formats.has(schema))
    return refused(`${written} reads files: only the declared source tables can be read.`);
  const plain = `${catalog}.${schema}.${name}`;
  if (!context.declared.has(plain)) {
    const known = [...context.declared.keys()];
    const close = () => suggestion(plain, known) || suggestion(name, [...ctes.keys()]);
    return refused(context.unknownTable(plain, close, known));
  }
  context.tables.add(plain);
  context.references.push({ table: { catalog, schema, table: name }, start: at, end: last });
  if (context.invalid.has(plain)) return named(unknownRow(at));
  const columns = context.declared.get(plain);
  return named(
    columns
      ? {
          columns: columns.map((column) => {
            const type = context.types?.get(plain)?.get(column.toLowerCase());
            return {
              name: column,
              at,
              sources: [{ table: plain, column }],
              ...(type !== undefined && { type }),
            };
          }),
          open: [],
        }
      : openTableRow(plain, at),
  );
}
