import type { ConnectionFinding } from "../../protocol/transfer.ts";
import type { RowSink } from "./row-sink.ts";

/** What the warehouse knows of the log that a connector reads, since it began to. */
export interface LogRecord {
  /** The server that wrote it. */
  readonly server: string;
  /** Counts how often a standby has taken over. */
  readonly timeline: number;
  /** Whether the connector created the publication, and so may remove it. */
  readonly ownsPublication: boolean;
}

/** Whether the log can be read from where the last run ended. */
export interface LogState {
  /** `absent`: nobody reads it yet. `lost`: changes are missing, and only a new snapshot helps. */
  readonly slot: "absent" | "ready" | "lost";
  /** Why it is lost, as a sentence. */
  readonly reason: string;
  /** The first position that can still be read. */
  readonly confirmed: bigint | undefined;
  readonly current: bigint;
  readonly server: string;
  readonly timeline: number;
}

/** How far behind the warehouse is. */
export interface LogLag {
  readonly slot: string;
  /** What the server wrote since the last confirmed position. */
  readonly lagBytes: number;
  /** What the server keeps on its disk because of this connector. */
  readonly retainedBytes: number;
}

/** A table whose changes are read. */
export interface LogTable {
  readonly dataset: string;
  /** Changes from this position on. */
  readonly from: bigint;
  /** The columns of the dataset, in the order of the staged values. */
  readonly columns: readonly string[];
  /** Without keys, an updated row is staged as a deleted and an inserted one. */
  readonly keys: readonly string[];
}

/** Identifies a table, also one that was dropped and created again. */
export interface LogTableId {
  readonly dataset: string;
  readonly id: string;
  /** It was not yet part of the log: its rows must be read once. */
  readonly isNew: boolean;
}

/** The changes of a source in the order of their commits. A position is the end of a transaction. */
export interface ChangeLog {
  check(datasets: readonly string[]): Promise<ConnectionFinding[]>;
  state(record: LogRecord | undefined): Promise<LogState>;
  /** Who reads the log for this connector, as a sentence. Throws a DataProblem if it is another program. */
  checkReader(): Promise<string>;
  /** Throws a DataProblem with what to do if the server, or a table, is not set up for it. */
  requireReadable(datasets: readonly string[]): Promise<void>;
  /** The columns that identify a deleted row; undefined: all columns of the table. */
  identity(dataset: string): Promise<readonly string[] | undefined>;
  /** Adds tables to what is logged for this connector. Before `begin`, which otherwise cannot see them. */
  addTables(
    datasets: readonly string[],
  ): Promise<{ readonly tables: LogTableId[]; readonly created: boolean }>;
  /** Lets the server keep its log from now on. */
  begin(): Promise<void>;
  /** Ends that: the server may remove its log. */
  end(record: LogRecord): Promise<void>;
  /**
   * Stages the changes up to a position, or a little further. Returns the position that was reached. The rows of `into` are: a
   * number, the index of the table, the kind of change, the position of its transaction, the columns whose values are not in the
   * log, and the values as text.
   */
  read(tables: readonly LogTable[], upTo: bigint, into: RowSink, signal: AbortSignal): Promise<bigint>;
  /** The changes before this position are stored: the server need not keep them. */
  confirm(position: bigint): Promise<void>;
  lag(): Promise<LogLag | undefined>;
  /** A run warns if the server keeps more than this. */
  readonly warnBytes: number;
}
