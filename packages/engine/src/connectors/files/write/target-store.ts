import type { FileManifest } from "./manifest.ts";

/** A file that is written and not yet visible. */
interface UnfinishedFile {
  /** Where DuckDB writes it. */
  readonly path: string;
  /** The folder of the path, which DuckDB must be able to write to. */
  readonly folder: string;
  /** Makes the file visible as a whole, in place of an earlier one. */
  commit(): Promise<void>;
  /** Removes what is left of the unfinished file, committed or not. */
  discard(): Promise<void>;
}

/** Where the files of a target are. Names are relative to it. */
export interface TargetStore {
  /** For messages. */
  readonly place: string;
  /** The path of a file, for messages. */
  shown(file: string): string;
  /** Throws a DataProblem if files cannot be written. */
  requireWritable(): Promise<void>;
  /** The names of all manifests, without ".json". */
  manifests(): Promise<string[]>;
  readManifest(name: string): Promise<FileManifest | undefined>;
  writeManifest(name: string, manifest: FileManifest): Promise<void>;
  /** Whether something has this name. */
  exists(file: string): Promise<boolean>;
  /** Whether it is a file that can be read. */
  isFile(file: string): Promise<boolean>;
  /** The paths by which files can be read until the work ends. `folder` contains them. */
  withFiles<Result>(
    files: readonly string[],
    work: (paths: readonly string[], folder: string) => Promise<Result>,
  ): Promise<Result>;
  create(file: string): Promise<UnfinishedFile>;
  remove(file: string): Promise<void>;
}
