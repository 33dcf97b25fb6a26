import { counted } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../protocol/column.ts";
import { isMemoryError, OutOfMemory } from "../warehouse/memory-problem.ts";

/** What is known of the rows of a transfer when it runs out of memory. */
export interface TransferShape {
  columns: readonly WarehouseColumn[];
  /** The name of a column with very large values. */
  largeColumn?: string | undefined;
}

/** DuckDB works on 2,048 values of each column at once: with this many columns, that needs most of a small limit. */
const manyColumns = 300;

/** Runs a transfer. An error about memory says which dataset needs it, and why if that is known. */
export async function nameMemoryErrors<Result>(
  dataset: string,
  work: (shape: TransferShape) => Promise<Result>,
): Promise<Result> {
  const shape: TransferShape = { columns: [] };
  try {
    return await work(shape);
  } catch (error) {
    throw isMemoryError(error) ? new OutOfMemory(subjectOf(dataset, shape), error) : error;
  }
}

function subjectOf(dataset: string, { columns, largeColumn }: TransferShape): string {
  if (largeColumn !== undefined)
    return `The transfer of ${dataset}, whose column ${JSON.stringify(largeColumn)} has very large values,`;
  if (columns.length >= manyColumns)
    return `The transfer of ${dataset}, which has ${counted(columns.length, "column")},`;
  return `The transfer of ${dataset}`;
}
