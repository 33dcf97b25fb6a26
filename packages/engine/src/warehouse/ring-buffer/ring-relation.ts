import { randomUUID } from "node:crypto";
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { type DuckDBConnection, DuckDBTableFunction, VARCHAR } from "@duckdb/node-api";
import { fillChunk } from "./chunk-fill.ts";
import { duckType } from "./duckdb-type.ts";
import type { GrownHeap, Ring } from "./ring-buffer.ts";

/** The rows of a ring as a relation. A statement that reads it ends when the ring has been empty for a moment. */
export interface Feed {
  /** For FROM: a call that nobody can guess. */
  readonly relation: string;
  readonly rows: number;
  readonly bytes: number;
  close(): void;
}

/** The thread that DuckDB asks for rows is the one that also answers queries: it is not held up for longer. */
const longestWaitMs = 50;
const functionName = "_lakehelm_feed";

class OpenFeed implements Feed {
  readonly name = randomUUID();
  readonly relation = `${functionName}('${this.name}')`;
  readonly ring: Ring;
  readonly #port: MessagePort;
  readonly #open: Map<string, OpenFeed>;
  readonly #onPart: (feed: Feed) => void;
  rows = 0;
  bytes = 0;

  constructor(ring: Ring, port: MessagePort, onPart: (feed: Feed) => void, open: Map<string, OpenFeed>) {
    this.ring = ring;
    this.#port = port;
    this.#onPart = onPart;
    this.#open = open;
    open.set(this.name, this);
  }

  /** The next part, or nothing, which ends the statement. */
  fill(output: Parameters<typeof fillChunk>[0]): void {
    const { ring } = this;
    ring.waitForPart(longestWaitMs);
    if (ring.waiting === 0) return;
    const part = ring.taking;
    fillChunk(output, ring, part, this.#grownHeaps());
    this.rows += part.rows;
    this.bytes += part.bytes;
    ring.release();
    this.#onPart(this);
  }

  /** They are sent before their part is published, so that all are here. */
  #grownHeaps(): Map<number, GrownHeap> {
    const { ring } = this;
    const heaps = new Map<number, GrownHeap>();
    for (let column = 0; column < ring.layout.wires.length; column++) {
      if (!ring.taking.isGrown(column)) continue;
      const { message } = receiveMessageOnPort(this.#port) as { message: GrownHeap };
      heaps.set(message.column, message);
    }
    return heaps;
  }

  close(): void {
    this.#open.delete(this.name);
    this.#port.close();
  }
}

/** The feeds of one DuckDB. */
export class Feeds {
  readonly #open: Map<string, OpenFeed>;

  private constructor(open: Map<string, OpenFeed>) {
    this.#open = open;
  }

  /** One function serves all feeds. A transaction that has begun does not see it: it is made when the warehouse opens. */
  static register(connection: DuckDBConnection): Feeds {
    const open = new Map<string, OpenFeed>();
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: functionName,
        parameterTypes: [VARCHAR],
        bindFunction(info) {
          const feed = open.get(String(info.getParameter(0)));
          if (!feed) throw new Error("There is no such feed.");
          for (const [index, wire] of feed.ring.layout.wires.entries()) {
            info.addResultColumn(`c${index}`, duckType(wire));
          }
          info.setBindData(feed);
        },
        initFunction(info) {
          // Two threads compress while one would wait for the next part (2 M rows: 4.1 s instead of 5.1 s).
          info.setMaxThreads(2);
        },
        mainFunction(info, output) {
          const feed = info.getBindData();
          if (!(feed instanceof OpenFeed)) throw new Error("There is no such feed.");
          feed.fill(output.chunk);
        },
      }),
    );
    return new Feeds(open);
  }

  open(ring: Ring, port: MessagePort, onPart: (feed: Feed) => void): Feed {
    return new OpenFeed(ring, port, onPart, this.#open);
  }
}
