import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";

/** A column of an existing table. */
export interface ExistingColumn {
  readonly name: string;
  /** The target's name of the type. */
  readonly type: string;
}

/** A column of the rows, with its name in the target. */
export interface MappedColumn {
  readonly name: string;
  readonly column: WarehouseColumn;
}

export interface MappingInput {
  /** The table's name for messages. */
  readonly table: string;
  readonly existing: readonly ExistingColumn[];
  readonly incoming: readonly WarehouseColumn[];
  /** Whether a column of that type holds every value of the warehouse column. */
  fits(type: string, column: WarehouseColumn): boolean;
  /** What to do about a column that does not fit: the statement of the target that changes its type. */
  remedy(name: string, column: WarehouseColumn): string;
}

/**
 * Maps the columns to those of the table, and finds new ones. Column names in these targets are not case-sensitive. Other
 * columns of the table do not change.
 */
export function mapColumns({ table, existing, incoming, fits, remedy }: MappingInput): {
  readonly columns: readonly MappedColumn[];
  readonly added: readonly WarehouseColumn[];
} {
  const byName = new Map(existing.map((column) => [column.name.toLowerCase(), column]));
  const added: WarehouseColumn[] = [];
  const columns = incoming.map((column): MappedColumn => {
    const same = byName.get(column.name.toLowerCase());
    if (!same) added.push(column);
    else if (!fits(same.type, column)) {
      throw new DataProblem(
        `The column "${column.name}" of ${table} is ${same.type || "without a type"} in the target, which cannot hold ${column.type}. ${remedy(same.name, column)}`,
      );
    }
    return { name: same?.name ?? column.name, column };
  });
  return { columns, added };
}
