import { MessageChannel } from "node:worker_threads";
import type { ExternalQueryOptions, RowSink, StagedRow } from "../connectors/source/row-sink.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import type { Reject } from "../protocol/transfer.ts";
import { rowText } from "../warehouse/relation.ts";
import { RingBuffer } from "../warehouse/ring-buffer/ring-buffer.ts";
import { ringPlace } from "../warehouse/ring-buffer/ring-relation.ts";
import { maxRejects, type ReaderMessage } from "../warehouse/ring-buffer/row-writer.ts";
import { parseWireType } from "../warehouse/ring-buffer/wire-type.ts";
import { rowNumber, withRowNumbers } from "../warehouse/row-numbers.ts";
import type { ExternalAccess } from "../warehouse/warehouse.ts";
import { insertExternalQuery } from "./external-query.ts";
import { recordLocations } from "./rejects.ts";
import { type SinkTable, storeRows } from "./sink-table.ts";

export interface StagingSinkOptions extends SinkTable {
  readonly onProgress: (counts: { readonly rows: number; readonly bytes: number }) => void;
}

const msBetweenProgress = 500;

/** If the values of a column need this much space in a batch, an error about memory names the column. */
const largeBytes = 16 * 2 ** 20;

/**
 * The location is found for at most this many rows. They are kept in memory meanwhile, so longer rows get no location.
 */
const maxLocated = 1_000;
const longestLocated = 50_000;

export const createStagingSink = (options: StagingSinkOptions): StagingSink => new StagingSink(options);

/** Inserts the rows of a source into a table, and counts them. The counts are final when the source has been read. */
class StagingSink implements RowSink {
  readonly columns: readonly WarehouseColumn[];
  readonly keepsOrder: boolean;
  /** The first ten thousand rejects. */
  readonly rejects: Reject[] = [];
  rows = 0;
  bytes = 0;
  rejected = 0;
  /** Where the rows are in the log of the source, if the request asked for it. */
  position: bigint | undefined;
  /** The name of a column with very large values. */
  largeColumn: string | undefined;
  readonly #options: StagingSinkOptions;
  #lastProgress = performance.now();
  /** The last row that was searched, and the number of rows that were located. */
  #located = { upTo: -1n, rows: 0 };

  constructor(options: StagingSinkOptions) {
    this.#options = options;
    this.columns = options.columns;
    this.keepsOrder = options.keepsOrder ?? false;
  }

  async fromThread(module: URL, input: unknown): Promise<void> {
    const { warehouse, connection, signal } = this.#options;
    signal.throwIfAborted();
    const shared = RingBuffer.share(this.columns.map(wireTypeOf));
    const { port1, port2 } = new MessageChannel();
    const ring = new RingBuffer(shared);
    const before = { rows: this.rows, bytes: this.bytes };
    const source = warehouse.ringRelations.open(
      ring,
      port1,
      (read) => this.#count({ rows: before.rows + read.rows, bytes: before.bytes + read.bytes }),
      { hasPlaces: this.keepsOrder },
    );
    const reading = warehouse.readers.start(module, { input, ring: { ...shared, port: port2 } }, (message) =>
      this.#receive(message),
    );
    const stop = () => {
      connection.interrupt();
      void reading.stop();
    };
    signal.addEventListener("abort", stop);
    const values = this.columns.map((_, index) => `c${index}`);
    try {
      // A fast source causes one long INSERT, a slow one several: no statement holds a DuckDB thread while it waits for rows.
      for (;;) {
        await Promise.race([reading.ended, ring.batchesReady(ring.layout.slots / 2)]);
        if (ring.waiting === 0) break;
        await storeRows(this.#options, values, source.relation, `${before.rows} + ${ringPlace}`);
      }
      await reading.ended;
      if (!ring.isEnded) throw new Error("The reader ended before the end of the rows.");
      this.#reportProgress();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      const { column = -1, bytes = 0 } = source.largeColumn ?? {};
      if (bytes > largeBytes) this.largeColumn = this.columns[column]?.name;
      source.close();
      await reading.stop();
      // Wakes a pending `batchesReady`.
      ring.end();
    }
  }

  async fromQuery(access: ExternalAccess, select: string, options: ExternalQueryOptions = {}): Promise<void> {
    const { rows, rejected } = await insertExternalQuery(this.#options, access, select, options, this.rows);
    this.rejected += rejected.length;
    this.rejects.push(...rejected.slice(0, Math.max(0, maxRejects - this.rejects.length)));
    this.#count({ rows: this.rows + rows, bytes: this.bytes });
    this.#reportProgress();
  }

  async locate(
    condition: string,
    find: (rows: readonly StagedRow[]) => Promise<readonly (string | undefined)[]>,
  ): Promise<void> {
    const { connection, table } = this.#options;
    const { upTo, rows } = this.#located;
    const numbered = await withRowNumbers(connection, table);
    const last = await connection.runAndReadAll(`SELECT max(${rowNumber}) FROM ${numbered}`);
    const found = await connection.runAndReadAll(
      `SELECT text FROM (SELECT ${rowText(this.columns)} AS text FROM ${numbered} WHERE ${rowNumber} > ${upTo} AND (${condition})) WHERE strlen(text) <= ${longestLocated} LIMIT ${maxLocated - rows}`,
    );
    const texts = found.getRowsJson().map(([text]) => String(text));
    this.#located = { upTo: BigInt(String(last.getRowsJson()[0]?.[0] ?? upTo)), rows: rows + texts.length };
    if (texts.length === 0) return;
    const locations = await find(texts.map((text): StagedRow => JSON.parse(text)));
    await recordLocations(
      connection,
      texts.flatMap((row, at) => (locations[at] === undefined ? [] : [{ row, location: locations[at] }])),
    );
  }

  addBytes(bytes: number): void {
    this.bytes += bytes;
  }

  #receive(message: ReaderMessage): void {
    if ("position" in message) {
      this.position = message.position;
      return;
    }
    if ("rejected" in message) {
      this.rejected += message.rejected;
      return;
    }
    this.rejected += 1;
    if (this.rejects.length < maxRejects) this.rejects.push(message.reject);
  }

  #count({ rows, bytes }: { readonly rows: number; readonly bytes: number }): void {
    this.rows = rows;
    this.bytes = bytes;
    if (performance.now() - this.#lastProgress > msBetweenProgress) this.#reportProgress();
  }

  #reportProgress(): void {
    this.#lastProgress = performance.now();
    this.#options.onProgress({ rows: this.rows, bytes: this.bytes });
  }
}

function wireTypeOf(column: WarehouseColumn) {
  const found = parseWireType(wireType(column));
  if (!found) throw new Error(`Rows cannot be staged in the type ${wireType(column)} (${column.name}).`);
  return found;
}
