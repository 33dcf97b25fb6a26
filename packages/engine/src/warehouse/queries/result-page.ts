import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import type { EngineLimits } from "../../protocol/limits.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { streamChunks } from "../result-chunks.ts";
import { cellBytes } from "./cell-size.ts";

export interface ResultPage {
  /** The values by column. */
  readonly values: readonly (readonly DuckDBValue[])[];
  readonly count: number;
  readonly more: boolean;
}

interface PageRequest {
  /** The names of the columns that are returned; the result may have more. */
  readonly columns: readonly string[];
  readonly skip: number;
  readonly limit: number;
  readonly limits: Pick<EngineLimits, "valueBytes" | "answerBytes">;
}

/**
 * Reads the rows of a page, and at most one chunk after it. A page is in memory several times while it is sent, so it
 * ends at the size of an answer, even if it could have more rows.
 */
export async function readPage(
  result: DuckDBResult,
  { columns, skip, limit, limits }: PageRequest,
): Promise<ResultPage> {
  const values: DuckDBValue[][] = columns.map(() => []);
  let rowsRead = 0;
  let count = 0;
  let bytes = 0;
  for await (const chunk of streamChunks(result)) {
    for (let row = Math.max(0, skip - rowsRead); row < chunk.rowCount; row += 1) {
      if (count === limit) return { values, count, more: true };
      bytes += rowBytes(chunk, row, columns, limits.valueBytes);
      if (bytes > limits.answerBytes) {
        if (count === 0) throw rowTooLarge(limits.answerBytes);
        return { values, count, more: true };
      }
      for (const index of columns.keys()) values[index]?.push(chunk.getColumnVector(index).getItem(row));
      count += 1;
    }
    rowsRead += chunk.rowCount;
  }
  return { values, count, more: false };
}

function rowBytes(chunk: DuckDBDataChunk, row: number, columns: readonly string[], most: number): number {
  let sum = 0;
  for (const [index, column] of columns.entries()) {
    const bytes = cellBytes(chunk.getColumnVector(index), row, most);
    if (bytes > most) {
      const name = JSON.stringify(column.slice(0, 100));
      throw new DataProblem(
        `A value in the column ${name} is larger than ${most} bytes. Select a part of it, for example with substring().`,
      );
    }
    sum += bytes;
  }
  return sum;
}

export const rowTooLarge = (most: number): DataProblem =>
  new DataProblem(`A row is larger than ${most} bytes. Select fewer columns, or parts of their values.`);
