import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { parseDatabricksType } from "../../protocol/types.ts";
import { quote } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { hasTextLength } from "../../warehouse/store-assignment/text-length.ts";
import type { AuthorText } from "./author-text.ts";
import { type Binder, BindingFailed } from "./binder.ts";

/** A column of a flow, as its dataset stores it. */
interface DatasetColumn {
  readonly name: string;
  readonly type: string;
  /** An expression over the columns of the flow, with the name as its alias. */
  readonly selected: string;
}

/**
 * The columns of a flow with the types that the dataset declares. `nameOf` returns the name that a column has in the
 * dataset.
 */
export async function inDeclaredTypes(
  binder: Binder,
  dataset: PipelineDataset,
  flow: { readonly text: AuthorText; readonly sql: string; readonly columns: readonly WarehouseColumn[] },
  nameOf: (column: string) => string,
): Promise<DatasetColumn[]> {
  const columns = flow.columns.map((column) => {
    const name = nameOf(column.name);
    return { column, name, declared: declaredType(binder, dataset, name) };
  });
  if (columns.every(({ declared }) => declared === undefined))
    return columns.map(({ column, name }) => ({
      name,
      type: column.type,
      selected: alias(quote(column.name), name),
    }));
  const types = await binder.typesOf(flow.sql, columns.length);
  const typed: DatasetColumn[] = [];
  for (const [at, { column, name, declared }] of columns.entries()) {
    const value = quote(column.name);
    const cast = declared && (await binder.cast(value, types[at] ?? "", { name, ...declared }, flow.text));
    typed.push({ name, type: declared?.type ?? column.type, selected: alias(cast ?? value, name) });
  }
  return typed;
}

const alias = (value: string, name: string): string => `${value} AS ${quote(name)}`;

/**
 * The type that a dataset declares for a column, in DuckDB; and as the author wrote it if it limits the length of
 * texts.
 */
export function declaredType(
  binder: Binder,
  dataset: PipelineDataset,
  column: string,
): { readonly type: string; readonly declared: string | undefined } | undefined {
  const declared = dataset.declared.find(({ name }) => sameName(name, column))?.type;
  if (declared === null || declared === undefined) return undefined;
  const type = parseDatabricksType(declared);
  if (type !== undefined) return { type, declared: hasTextLength(declared) ? declared : undefined };
  binder.addProblem(
    dataset.location,
    `the column ${column} has the type ${declared}, which the warehouse does not support.`,
  );
  throw new BindingFailed();
}
