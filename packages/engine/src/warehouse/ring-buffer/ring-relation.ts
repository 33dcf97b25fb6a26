import { randomUUID } from "node:crypto";
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { BIGINT, type DuckDBConnection, DuckDBTableFunction, VARCHAR } from "@duckdb/node-api";
import { fillChunk } from "./chunk-fill.ts";
import { duckdbType } from "./duckdb-type.ts";
import type { GrownHeap, RingBuffer } from "./ring-buffer.ts";

/** The rows of a ring buffer as a relation. A statement that reads it ends when the ring has been empty for a moment. */
export interface RingRelation {
  /** For FROM: a function call with an id that cannot be guessed. */
  readonly relation: string;
  readonly rows: number;
  readonly bytes: number;
  /** The column with the largest values so far, if some of them needed more than their share of a batch. */
  readonly largeColumn: { readonly column: number; readonly bytes: number } | undefined;
  close(): void;
}

/** DuckDB asks for rows on the thread that also handles queries, so it must not block for longer. */
const maxWaitMs = 50;
const manyColumns = 300;
const functionName = "_lakehelm_feed";

/** The column with the place of a row among all rows of the ring: threads of DuckDB insert them in any order. */
export const ringPlace = "place";

class OpenRingRelation implements RingRelation {
  readonly id = randomUUID();
  readonly relation = `${functionName}('${this.id}')`;
  readonly ring: RingBuffer;
  readonly hasPlaces: boolean;
  readonly #port: MessagePort;
  readonly #open: Map<string, OpenRingRelation>;
  readonly #onBatch: (relation: RingRelation) => void;
  #failure: { readonly error: unknown } | undefined;
  rows = 0;
  bytes = 0;
  largeColumn: RingRelation["largeColumn"];

  constructor(
    ring: RingBuffer,
    port: MessagePort,
    onBatch: (relation: RingRelation) => void,
    hasPlaces: boolean,
    open: Map<string, OpenRingRelation>,
  ) {
    this.ring = ring;
    this.hasPlaces = hasPlaces;
    this.#port = port;
    this.#onBatch = onBatch;
    this.#open = open;
    open.set(this.id, this);
  }

  /** Returns the next batch, or no rows, which ends the statement. */
  fill(output: Parameters<typeof fillChunk>[0]): void {
    // After an error, another thread of DuckDB may ask again, and the statement reports either error.
    if (this.#failure) throw this.#failure.error;
    try {
      this.#fill(output);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  #fill(output: Parameters<typeof fillChunk>[0]): void {
    const { ring } = this;
    ring.waitForBatch(maxWaitMs);
    if (ring.waiting === 0) return;
    const batch = ring.nextToRead;
    fillChunk(output, ring, batch, this.#grownHeaps(), this.hasPlaces ? this.rows : undefined);
    this.rows += batch.rows;
    this.bytes += batch.bytes;
    ring.release();
    this.#onBatch(this);
  }

  /** The writer sends grown heaps before it publishes their batch, so all of them are in the port's queue. */
  #grownHeaps(): Map<number, GrownHeap> {
    const { ring } = this;
    const heaps = new Map<number, GrownHeap>();
    for (let column = 0; column < ring.layout.wires.length; column++) {
      if (!ring.nextToRead.isGrown(column)) continue;
      const { message } = receiveMessageOnPort(this.#port) as { message: GrownHeap };
      heaps.set(message.column, message);
      const bytes = message.bytes.byteLength;
      if (bytes > (this.largeColumn?.bytes ?? 0)) this.largeColumn = { column: message.column, bytes };
    }
    return heaps;
  }

  close(): void {
    this.#open.delete(this.id);
    this.#port.close();
  }
}

/** The ring buffers that one DuckDB can read. */
export class RingRelations {
  readonly #open: Map<string, OpenRingRelation>;

  private constructor(open: Map<string, OpenRingRelation>) {
    this.#open = open;
  }

  /** Registers one function for all ring buffers. Open transactions do not see it, so it is registered when the warehouse opens. */
  static register(connection: DuckDBConnection): RingRelations {
    const open = new Map<string, OpenRingRelation>();
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: functionName,
        parameterTypes: [VARCHAR],
        bindFunction(info) {
          const relation = open.get(String(info.getParameter(0)));
          if (!relation) throw new Error("There is no such ring buffer.");
          for (const [index, wire] of relation.ring.layout.wires.entries()) {
            info.addResultColumn(`c${index}`, duckdbType(wire));
          }
          if (relation.hasPlaces) info.addResultColumn(ringPlace, BIGINT);
          info.setBindData(relation);
        },
        initFunction(info) {
          // Two threads compress rows while one would wait for the next batch (2 million rows: 4.1 s instead of 5.1 s). Each of
          // them holds 2,048 values of every column: with one, 1,600 columns need half of the memory.
          const relation = info.getBindData();
          const columns = relation instanceof OpenRingRelation ? relation.ring.layout.wires.length : 0;
          info.setMaxThreads(columns > manyColumns ? 1 : 2);
        },
        mainFunction(info, output) {
          const relation = info.getBindData();
          if (!(relation instanceof OpenRingRelation)) throw new Error("There is no such ring buffer.");
          relation.fill(output.chunk);
        },
      }),
    );
    return new RingRelations(open);
  }

  open(
    ring: RingBuffer,
    port: MessagePort,
    onBatch: (relation: RingRelation) => void,
    { hasPlaces = false } = {},
  ): RingRelation {
    return new OpenRingRelation(ring, port, onBatch, hasPlaces, this.#open);
  }
}
