import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";

/** A column of a table that is there. */
export interface ExistingColumn {
  readonly name: string;
  /** As the target calls it. */
  readonly type: string;
}

/** A column that comes, under the name that the target has for it. */
export interface MappedColumn {
  readonly name: string;
  readonly column: WarehouseColumn;
}

export interface MappingInput {
  /** As the target is called in sentences. */
  readonly table: string;
  readonly there: readonly ExistingColumn[];
  readonly coming: readonly WarehouseColumn[];
  /** Whether a column of that type keeps each value of this one. */
  fits(type: string, column: WarehouseColumn): boolean;
}

/**
 * Which columns go where, and which are new. Names differ by more than case in none of the targets that use this. Columns
 * that are there and do not come are left alone.
 */
export function mapColumns({ table, there, coming, fits }: MappingInput): {
  readonly columns: readonly MappedColumn[];
  readonly added: readonly WarehouseColumn[];
} {
  const kept = new Map(there.map((column) => [column.name.toLowerCase(), column]));
  const added: WarehouseColumn[] = [];
  const columns = coming.map((column): MappedColumn => {
    const same = kept.get(column.name.toLowerCase());
    if (!same) added.push(column);
    else if (!fits(same.type, column)) {
      throw new DataProblem(
        `The column "${column.name}" of ${table} is ${same.type || "without a type"} in the target, and what comes is ${column.type}: it does not fit. Change the column in the target, or the type in the warehouse.`,
      );
    }
    return { name: same?.name ?? column.name, column };
  });
  return { columns, added };
}
