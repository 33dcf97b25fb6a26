import type { ConnectionFinding } from "../../protocol/transfer.ts";
import type { RowSink } from "./row-sink.ts";

/** What the warehouse records about the log that a connector reads. */
export interface LogRecord {
  /** The server that writes the log. */
  readonly server: string;
  /** Counts how often a standby has taken over. */
  readonly timeline: number;
  /** Whether the connector created the publication, and so may change and remove it; and the id of that publication. */
  readonly ownsPublication: boolean;
  readonly publicationId?: string;
  /** Whether the connector created the slot. Absent: it did. */
  readonly ownsSlot?: boolean;
  /** The names, unless they derive from the id of the connector. */
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
  /** `absent`: there is no slot yet. `lost`: changes are missing, and only a new snapshot helps. */
  readonly slot: "absent" | "ready" | "lost";
  /** Why the slot is lost, as a sentence. */
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
  /** The definition that the last run relied on. */
  readonly before: LogDefinition | undefined;
}

/** What the changes of a table in the log depend on, as the source declares it. Only the log interprets this JSON. */
export type LogDefinition = Readonly<Record<string, unknown>>;

export interface LogValues {
  readonly key: readonly string[];
  readonly values: readonly (string | null)[];
}

/** Why the rows of a table must be read again although the log can be read on. */
export interface LogGap {
  readonly reason: string;
  /** Whether a truncation in the log may be the cause: then rows were certainly deleted. */
  readonly mayBeTruncation: boolean;
}

/** The `id` changes if the table is dropped and created again. */
export interface LogTableId {
  readonly dataset: string;
  readonly id: string;
  /** Whether the table was not yet part of the log: then its rows must be read once. */
  readonly isNew: boolean;
}

/** The changes of a source in the order of their commits. A position is the end of a transaction. */
export interface ChangeLog {
  readonly names: LogNames;
  check(datasets: readonly string[]): Promise<ConnectionFinding[]>;
  state(record: LogRecord | undefined): Promise<LogState>;
  /** Who reads the log for this connector, as a sentence. Throws a DataProblem if it is another program. */
  checkReader(): Promise<string>;
  /** Throws a DataProblem with what to do if the server, or a table, is not set up for reading the log. */
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
    /**
     * The definition that the last run relied on. The result keeps those of its columns that the table no longer has.
     */
    before?: LogDefinition,
  ): Promise<LogDefinition | undefined>;
  /**
   * Why changes may be missing because the definition of the table has changed; undefined if it has not. `before` is
   * undefined after a run of an earlier version of Lakehelm, which recorded no definition.
   */
  compare(
    dataset: string,
    columns: readonly string[],
    before: LogDefinition | undefined,
  ): Promise<LogGap | undefined>;
  /**
   * Adds tables to the publication, if the connector created it. Call it before `begin`, which otherwise cannot see
   * them. `created` is the id of the publication if it did not exist before.
   */
  addTables(
    datasets: readonly string[],
    isOwn: boolean,
  ): Promise<{ readonly tables: LogTableId[]; readonly created: string | undefined }>;
  /** A sentence that says whether `addTables` has nothing to do or may do it. */
  checkTables(datasets: readonly string[], isOwn: boolean): Promise<string>;
  /** An id that changes if the publication is dropped and created again; undefined if there is none. */
  publicationId(): Promise<string | undefined>;
  /** Makes the server keep its log from now on. */
  begin(): Promise<void>;
  /** Lets the server remove its log. Returns a sentence about what is left because the connector did not create it. */
  end(record: LogRecord, kept?: Partial<LogNames>): Promise<string | undefined>;
  /**
   * Stages the changes up to a position, or a little further. Returns the position that was reached. The columns of
   * `into` are: a number, the index of the table, the kind of change (`X`: the log does not say which row, or lacks
   * values), the position of its transaction, the columns whose values are not in the log, and the values as text.
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
  /** Tells the server that the changes before this position are stored, so it need not keep them. */
  confirm(position: bigint): Promise<void>;
  lag(): Promise<LogLag | undefined>;
  /** A run warns if the server keeps more than this. */
  readonly warnBytes: number;
}
