import type { ConnectionFinding } from "../../protocol/transfer.ts";
import type { RowSink } from "./row-sink.ts";

/** What the warehouse knows of the log that a connector reads, since it began to. */
export interface LogRecord {
  /** The server that wrote it. */
  readonly server: string;
  /** Counts how often a standby has taken over. */
  readonly timeline: number;
  /** Whether the connector created the publication, and so may change and remove it; and the id that it has then. */
  readonly ownsPublication: boolean;
  readonly publicationId?: string;
  /** The same for the slot. Absent: it did. */
  readonly ownsSlot?: boolean;
  /** Absent: the names that derive from the id of the connector. */
  readonly slot?: string;
  readonly publication?: string;
}

/** What a connector uses in its source. */
export interface LogNames {
  readonly slot: string;
  readonly publication: string;
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
  /** What the last run relied on. */
  readonly before: LogDefinition | undefined;
}

/** What the changes of a table in the log depend on, as the source declares it. JSON, which only the log reads. */
export type LogDefinition = Readonly<Record<string, unknown>>;

export interface LogValues {
  readonly key: readonly string[];
  readonly values: readonly (string | null)[];
}

/** Why the rows of a table must be read again although the log goes on. */
export interface LogGap {
  readonly reason: string;
  /** A truncation in the log may be the cause: then rows are deleted for certain. */
  readonly mayBeTruncation: boolean;
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
  readonly names: LogNames;
  check(datasets: readonly string[]): Promise<ConnectionFinding[]>;
  state(record: LogRecord | undefined): Promise<LogState>;
  /** Who reads the log for this connector, as a sentence. Throws a DataProblem if it is another program. */
  checkReader(): Promise<string>;
  /** Throws a DataProblem with what to do if the server, or a table, is not set up for it. */
  requireReadable(datasets: readonly string[]): Promise<void>;
  /** The columns that identify a deleted row; undefined: all columns of the table. */
  identity(dataset: string): Promise<readonly string[] | undefined>;
  /**
   * Undefined if the log has no changes of the table. Throws a DataProblem with the statement that helps if it does not have
   * every change of these columns.
   */
  define(
    dataset: string,
    columns: readonly string[],
    /** What the last run relied on: of it, columns that the table no longer has are remembered. */
    before?: LogDefinition,
  ): Promise<LogDefinition | undefined>;
  /**
   * Whether the table was defined differently meanwhile; undefined: it was not. A run of an earlier version has recorded no
   * definition.
   */
  compare(
    dataset: string,
    columns: readonly string[],
    before: LogDefinition | undefined,
  ): Promise<LogGap | undefined>;
  /**
   * Adds tables to what is logged for this connector, if that is its own. Before `begin`, which otherwise cannot see them.
   * `created` identifies what did not exist before.
   */
  addTables(
    datasets: readonly string[],
    isOwn: boolean,
  ): Promise<{ readonly tables: LogTableId[]; readonly created: string | undefined }>;
  /** Whether `addTables` has nothing to do or may do it, as a sentence. */
  checkTables(datasets: readonly string[], isOwn: boolean): Promise<string>;
  /** Identifies the publication, also one that was dropped and created again; undefined: there is none. */
  publicationId(): Promise<string | undefined>;
  /** Lets the server keep its log from now on. */
  begin(): Promise<void>;
  /** Ends that: the server may remove its log. Returns what is left because the connector did not create it, as a sentence. */
  end(record: LogRecord, kept?: Partial<LogNames>): Promise<string | undefined>;
  /**
   * Stages the changes up to a position, or a little further. Returns the position that was reached. The rows of `into` are: a
   * number, the index of the table, the kind of change (`X`: the log does not say which row, or lacks values), the position of its transaction, the columns whose values are not in the
   * log, and the values as text.
   */
  read(tables: readonly LogTable[], upTo: bigint, into: RowSink, signal: AbortSignal): Promise<bigint>;
  /**
   * Values of rows as they are now, in the texts of the log: for each of the keys that the source still has, its values and those
   * of the columns. Undefined if rows cannot be found by these keys.
   */
  valuesOf(
    dataset: string,
    keys: readonly string[],
    columns: readonly string[],
    rows: readonly (readonly string[])[],
  ): Promise<readonly LogValues[] | undefined>;
  /** The changes before this position are stored: the server need not keep them. */
  confirm(position: bigint): Promise<void>;
  lag(): Promise<LogLag | undefined>;
  /** A run warns if the server keeps more than this. */
  readonly warnBytes: number;
}
