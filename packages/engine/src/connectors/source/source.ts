import type { WarehouseColumn } from "../../protocol/column.ts";
import type { ArrivingFile, ConnectionFinding, DatasetDescription } from "../../protocol/transfer.ts";
import type { ChangeLog } from "./change-log.ts";
import type { DefinedDataset } from "./definition.ts";
import type { RowSink } from "./row-sink.ts";

/** Selects rows whose column has at least this value. Rows with an equal watermark may have been added since the last run. */
export interface Since {
  readonly column: string;
  /** As the warehouse writes it as text: times with microseconds and offset. */
  readonly value: string;
  /**
   * Only rows below this value are needed. A source that can filter by it reads less; the run removes the other rows.
   */
  readonly before?: string | undefined;
}

/** Selects the rows with these keys. */
export interface KeySelection {
  readonly columns: readonly WarehouseColumn[];
  /** One list for each key, as the warehouse writes the values as text. */
  readonly values: readonly (readonly string[])[];
}

/**
 * The files that earlier runs have read. A file has several identities, such as its path and its inode, each with its size
 * and time: it was read before if one of them is known.
 */
export interface FileArrivals {
  /** Undefined if nothing is known of earlier runs. */
  wasRead(identities: readonly bigint[]): boolean | undefined;
  /** Takes the identities of all files that exist now. */
  list(identities: readonly bigint[]): void;
  /** Whether rows are appended, so that a file that grows must not be read twice. */
  readonly appends: boolean;
  /** What runs have read of a file: by its place, or by its name. */
  contentOf(name: string, place: string): ReadContent | undefined;
  addContent(content: ReadContent): void;
}

/** What was read of a file, decompressed. */
export interface ReadContent {
  readonly name: string;
  /** Identifies the file even if it is renamed; empty if nothing does. */
  readonly place: string;
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly digest: string;
  readonly lines: number;
}

export interface ReadRequest {
  readonly dataset: string;
  /** A selection of the columns that `describe` returned, in any order. */
  readonly columns: readonly WarehouseColumn[];
  readonly since: Since | undefined;
  /** Only for a source that can read by keys of these columns. The source may return more rows. */
  readonly keys?: KeySelection | undefined;
  /** Present if the watermark is the time of a file. */
  readonly arrivals?: FileArrivals | undefined;
  readonly into: RowSink;
  readonly signal: AbortSignal;
  /** Also report the position in the source's log to which the rows correspond. Only for a source with a log. */
  readonly withPosition?: boolean | undefined;
}

/** A system that rows are read from. Opened for one run and closed after it. */
export interface ConnectorSource {
  /** What the owner of the connector should know about its settings. */
  readonly warnings?: readonly string[];
  /** Which of several rows with the same key is returned last, as a noun phrase. */
  readonly rowOrder?: string;
  /** False if the same rows of a dataset can be returned in another order. Then `rowOrder` says nothing. Absent: true. */
  hasRowOrder?(dataset: string): boolean;
  check(datasets: readonly string[]): Promise<ConnectionFinding[]>;
  discover(): Promise<DatasetDescription[]>;
  /**
   * Throws a DataProblem that suggests similar names if there is no such dataset. Settings of the connection may also be for the
   * `target` of a dataset. `arrivals`: files that an earlier run has read; their columns are known.
   */
  describe(dataset: string, target?: string, arrivals?: FileArrivals): Promise<DatasetDescription>;
  /**
   * What the rows of a dataset depend on beside themselves, for the next run to compare: a run that reads only what is new would not
   * notice a view with another definition. `columns` are those that are transferred.
   */
  define?(dataset: string, columns: readonly string[], target: string): Promise<DefinedDataset>;
  /** False if rows that were read may be gone the next time although they were not deleted: files that are removed, pages of an API. Absent: true. */
  readonly keepsRows?: false;
  /** The files of a dataset, if it waits for files in object storage. None is no error. */
  listFiles?: ((dataset: string) => Promise<readonly ArrivingFile[]>) | undefined;
  read(request: ReadRequest): Promise<void>;
  /** Whether `read` finds rows by the values of these columns. */
  readsByKeys?(columns: readonly WarehouseColumn[]): boolean;
  /** The changes of the source, if its connection asks for them. */
  changeLog?(connector: string): ChangeLog | undefined;
  close(): Promise<void>;
}
