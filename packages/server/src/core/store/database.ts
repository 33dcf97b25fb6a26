import type { Dialect } from "kysely";

export type SqlValue = string | number | null;
export type DatabaseRow = Record<string, unknown>;

/** One SQL statement as data: it can be sent to a thread, and costs nothing until it runs. */
export interface Statement<Result = unknown> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /**
   * The number of rows it must change. With any other number, the whole change is rolled back and reported as missed.
   */
  readonly expect?: number;
  /** Only for the type of its rows. */
  readonly result?: Result;
}

/** Why a change was rolled back: which statement, and the reason. */
export interface Refusal {
  readonly at: number;
  readonly why: "missed" | "duplicate" | "referenced";
}

/**
 * The interface of a database for the store: five calls. Everything else is written once, on top. A write is a list of
 * statements, all or nothing. No caller ever holds a transaction open.
 */
export interface Database {
  readonly name: "sqlite" | "postgres";
  /** Only this process writes to it: reads stay valid until we write. */
  readonly exclusive: boolean;
  /** The number of batches written so far; between two of them nothing changes in an exclusive database. */
  written(): number;
  readonly dialect: Dialect;
  /** Run first inside a migration, so that two servers that start concurrently do not both migrate. */
  readonly migrationLock: Statement | undefined;
  read(statement: Statement): Promise<DatabaseRow[]>;
  readOne(statement: Statement): Promise<DatabaseRow | undefined>;
  write(statements: readonly Statement[]): Promise<Refusal | undefined>;
  close(): Promise<void>;
}
