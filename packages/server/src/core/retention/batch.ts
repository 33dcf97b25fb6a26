import { encodeJson } from "@lakehelm/contract/schema";
import type { RemovedRecords } from "./archive-entry.ts";

export interface RetainedBatch extends RemovedRecords {
  /** One JSON text for each record. */
  readonly lines: readonly string[];
}

/** A batch is one entry of the archive and one transaction: larger batches hold up other changes and take memory. */
export const maxBatchRows = 5_000;
export const maxBatchCharacters = 8 * 1024 * 1024;

const dayMs = 86_400_000;

/** The time this many days before. */
export const daysBefore = (time: Date, days: number): string =>
  new Date(time.getTime() - days * dayMs).toISOString();

interface RetainedRecord {
  readonly record: object;
  /** How many rows of the database the record has. */
  readonly rows: number;
}

/**
 * A batch with as many of these records as it may have. `read` returns undefined for a record that no longer exists.
 */
export async function batchOf(
  ids: readonly string[],
  read: (id: string) => Promise<RetainedRecord | undefined>,
): Promise<RetainedBatch | undefined> {
  const lines: string[] = [];
  const taken: string[] = [];
  let rows = 0;
  let characters = 0;
  for (const id of ids) {
    const found = await read(id);
    if (!found) continue;
    const line = encodeJson(found.record);
    rows += found.rows;
    characters += line.length;
    lines.push(line);
    taken.push(id);
    if (rows >= maxBatchRows || characters >= maxBatchCharacters) break;
    await new Promise((next) => setImmediate(next));
  }
  const [first] = taken;
  const last = taken.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { first, last, count: lines.length, lines };
}
