import type { FileArrivals } from "../../source/source.ts";

export interface ListedFile {
  /** For messages: the real path on this machine, or the address of an object. */
  readonly path: string;
  /** Relative to the connection's folder. */
  readonly name: string;
  readonly size: number;
  /** When it was last modified, in UTC with microseconds: `2026-01-31 23:59:59.000000`. */
  readonly modified: string;
  /** A run has read the file before if it recorded one of these. */
  readonly identities: readonly bigint[];
  /** Identifies the file, even if it is renamed. */
  readonly place?: string;
  /** The version of an object, which changes with its content. */
  readonly version?: string;
}

/** A file that can be opened by a path of this machine. */
export interface OpenedFile extends ListedFile {
  /** The path to open, which may differ from the real path. */
  readonly path: string;
  /** For messages. */
  readonly realPath: string;
  /** Added to line numbers if only a part of the file is opened. */
  readonly lineOffset?: number;
  /** Whether only the beginning of the file is there; for Parquet, only the footer. */
  readonly isExcerpt?: boolean;
}

/** What is done with files that are open. They are closed afterwards. */
export type FileWork = (files: readonly OpenedFile[]) => Promise<void>;

/** Where the files of a source are, and how they are opened. */
export interface FileStore {
  /** For messages: a folder or an address. */
  readonly place: string;
  /** The files of a dataset, by name. Throws a DataProblem if there are none. */
  list(dataset: string): Promise<readonly ListedFile[]>;
  /**
   * Like `list`, but empty if there are no files. Only for stores whose files cannot be listed without a connection.
   */
  find?(dataset: string): Promise<readonly ListedFile[]>;
  /** The files of the folder, and its subfolders that contain files. */
  listDatasets(): Promise<string[]>;
  /** Opens files in groups. */
  read(files: readonly ListedFile[], work: FileWork): Promise<void>;
  /** Opens files in groups to find out their columns. Parts of the files may be enough. */
  describe(files: readonly ListedFile[], arrivals: FileArrivals | undefined, work: FileWork): Promise<void>;
}
