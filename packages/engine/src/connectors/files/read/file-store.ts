import type { FileArrivals } from "../../source/source.ts";

export interface ListedFile {
  /** For people: the real path on this machine, or the address of an object. */
  readonly path: string;
  /** Relative to the connection's folder. */
  readonly name: string;
  readonly size: number;
  /** When it was last modified, in UTC with microseconds: `2026-01-31 23:59:59.000000`. */
  readonly modified: string;
  /** What tells whether a run has read the file before: one of them is known then. */
  readonly identities: readonly bigint[];
  /** What stays if the file is renamed. */
  readonly place?: string;
  /** The version of an object, which changes with its content. */
  readonly version?: string;
}

/** A file that can be opened by a path of this machine. */
export interface OpenedFile extends ListedFile {
  /** The path to open. It need not look like the real one. */
  readonly path: string;
  /** For people. */
  readonly realPath: string;
  /** Added to the numbers of its lines, if it is a part of the file. */
  readonly lineOffset?: number;
  /** It has only the beginning of the file. For Parquet, it has only the footer. */
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
  /** The same without an error if there are none. Only if files cannot be listed without a connection. */
  find?(dataset: string): Promise<readonly ListedFile[]>;
  /** The files of the folder, and its subfolders that contain files. */
  listDatasets(): Promise<string[]>;
  /** Opens files, some at a time. */
  read(files: readonly ListedFile[], work: FileWork): Promise<void>;
  /** The same, to find out their columns. Parts of the files may be enough. */
  describe(files: readonly ListedFile[], arrivals: FileArrivals | undefined, work: FileWork): Promise<void>;
}
