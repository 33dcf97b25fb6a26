import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { refusedMark } from "../../source/refused-text.ts";
import type { StagedRow } from "../../source/row-sink.ts";
import type { OpenedFile } from "./file-store.ts";
import type { CsvDialect } from "./settings.ts";

/** SQL: whether a row has a value that does not fit its column. `csvValue` marks it. */
export const hasMisfit = (columns: readonly WarehouseColumn[]): string =>
  columns
    .filter(({ type }) => type !== "VARCHAR")
    .map(({ name }) => `starts_with(${quote(name)}, ${literal(refusedMark)})`)
    .join(" OR ");

export interface LocationThreadInput {
  readonly rows: readonly StagedRow[];
  readonly columns: readonly WarehouseColumn[];
  readonly files: readonly OpenedFile[];
  readonly dialect: CsvDialect;
}

export type FoundLocations = readonly (string | undefined)[];

/**
 * Finds the lines of rows with a value that does not fit: `line 3 of orders.csv`. DuckDB does not report these lines,
 * so a thread reads the files again until all the rows are found.
 */
export async function locateRows(input: LocationThreadInput, signal: AbortSignal): Promise<FoundLocations> {
  signal.throwIfAborted();
  const thread = new Worker(new URL("./csv-locations-thread.ts", import.meta.url), {
    workerData: input,
    resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256, codeRangeSizeMb: 32 },
  });
  try {
    const [found] = await once(thread, "message", { signal });
    return found as FoundLocations;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}
