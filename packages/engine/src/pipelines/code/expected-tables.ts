import type { WarehouseColumn } from "../../protocol/column.ts";
import type { ExpectedTable } from "../../protocol/expected-table.ts";
import { parseDatabricksType } from "../../protocol/types.ts";
import { fullName, type TableName } from "../../warehouse/names.ts";
import { splitName } from "../storage.ts";

/** Tables as they will be, in a form to which SQL can be bound. */
export interface ExpectedTables {
  readonly tables: readonly { readonly name: TableName; readonly columns: readonly WarehouseColumn[] }[];
  /** Full names of the tables whose columns are unknown. */
  readonly unknown: readonly string[];
}

export function expectedTables(
  expected: readonly ExpectedTable[],
  known: ReadonlyMap<string, unknown>,
): ExpectedTables {
  const tables: ExpectedTables["tables"][number][] = [];
  const unknown: string[] = [];
  for (const { name, columns } of expected) {
    const typed = columns?.map(typedColumn);
    if (typed && typed.length > 0 && !typed.includes(undefined))
      tables.push({ name: splitName(name), columns: typed.filter((one) => one !== undefined) });
    else if (columns || !known.has(name)) unknown.push(name);
  }
  return { tables, unknown };
}

function typedColumn({ name, type: origin }: { readonly name: string; readonly type: string }) {
  const type = parseDatabricksType(origin);
  return type === undefined ? undefined : { name, type, origin };
}

/** The tables of the catalog, replaced by the tables as they will be. */
export function withExpected<Columns>(
  known: ReadonlyMap<string, Columns>,
  { tables, unknown }: ExpectedTables,
  columnsOf: (columns: readonly WarehouseColumn[]) => Columns,
): Map<string, Columns> {
  const all = new Map(known);
  for (const { name, columns } of tables) all.set(fullName(name), columnsOf(columns));
  for (const name of unknown) all.delete(name);
  return all;
}

export const columnNames = (columns: readonly WarehouseColumn[]): string[] => columns.map(({ name }) => name);
