import type { Fields } from "../../schema/index.ts";
import type { Config } from "../config.ts";
import type { CredentialPath } from "../credentials.ts";

/**
 * What is known about a kind of system that rows come from or go to. Each kind is declared in one file of this folder.
 * Code elsewhere does not test for its name.
 */
export interface ConnectionKind {
  /** The `type` of a connection and the `target_type` of a connector. */
  readonly name: string;
  /** Other names that mean the same. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** The fields of a connection's config, both as source and as target. */
  readonly fields: Fields;
  /** For a database server. */
  readonly defaultPort?: number;
  /** The path may be an address in object storage. */
  readonly hasStorage?: true;
  /**
   * The addresses that get the credential at a path of a config, or a token obtained with that credential. A value that
   * is not a string is an unknown address.
   */
  readonly address: Address;
  /** The name of a dataset in OpenLineage. */
  readonly lineage: (config: Config, dataset: string) => LineageName;
  /** Absent: the kind cannot be read. */
  readonly source?: SourceRole;
  /** Absent: the kind cannot be written. */
  readonly target?: TargetRole;
}

/** Which code moves the rows: the engine, generated code, or both. */
interface Role {
  /** Additional fields of the config. */
  readonly fields?: Fields;
  readonly byEngine?: true;
  /** Whether code that is generated for Databricks moves rows. */
  readonly byGeneratedCode?: true;
}

interface SourceRole extends Role {
  /** Whether `capture: log` can read the changes in the log of the system. */
  readonly hasLog?: true;
}

interface TargetRole extends Role {
  /** What rows are written as: rows of a table, files in a folder, or requests, which cannot be taken back. */
  readonly holds: "tables" | "files" | "requests";
  /** Several transactions can write at the same time. Other kinds have a single writer, or send in order. */
  readonly isConcurrent?: true;
  /** Upserts find rows by a unique index. */
  readonly hasUniqueIndexes?: true;
}

export type Address = (config: Readonly<Record<string, unknown>>, path: CredentialPath) => readonly unknown[];

export interface LineageName {
  readonly namespace: string;
  readonly name: string;
}
