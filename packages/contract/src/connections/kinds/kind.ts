import type { Fields } from "../../schema/index.ts";
import type { Config } from "../config.ts";
import type { CredentialPath } from "../credentials.ts";

/**
 * What is known about a kind of system that rows come from or go to. Each kind is declared in one file of this folder, and no
 * other file decides something by its name.
 */
export interface ConnectionKind {
  /** As the `type` of a connection and the `target_type` of a connector have it. */
  readonly name: string;
  /** Other names that mean the same. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** The config of a connection, whatever it is used for. */
  readonly fields: Fields;
  /** Of a database server. */
  readonly defaultPort?: number;
  /** Its path may be an address of object storage. */
  readonly hasStorage?: true;
  /** The addresses that get the credential at a path of a config, or one that is made of it. One that is no text is not known. */
  readonly address: Address;
  /** How OpenLineage names a dataset of it. */
  readonly lineage: (config: Config, dataset: string) => LineageName;
  /** Absent: nothing is read from it. */
  readonly source?: SourceRole;
  /** Absent: nothing is written to it. */
  readonly target?: TargetRole;
}

/** Who moves rows: the engine of Lakehelm, generated code, or both. */
interface Role {
  /** Further fields of the config. */
  readonly fields?: Fields;
  readonly byEngine?: true;
  /** By code that is generated for Databricks. */
  readonly byGeneratedCode?: true;
}

interface SourceRole extends Role {
  /** `capture: log` reads the changes in its log. */
  readonly hasLog?: true;
}

interface TargetRole extends Role {
  /** What rows become there: rows of a table, files of a folder, or requests, which nobody can take back. */
  readonly holds: "tables" | "files" | "requests";
  /** Several transactions can write at the same time. Others have one writer, or order what they send. */
  readonly isConcurrent?: true;
  /** It finds the rows of an upsert by a unique index. */
  readonly hasUniqueIndexes?: true;
}

export type Address = (config: Readonly<Record<string, unknown>>, path: CredentialPath) => readonly unknown[];

export interface LineageName {
  readonly namespace: string;
  readonly name: string;
}
