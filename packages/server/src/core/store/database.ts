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
  /** Other servers need not know of it: the renewal of a lease or of a heartbeat. */
  readonly isSilent?: boolean;
  /** The statement only counts a row in lists. A transaction of many changes counts all of its rows together. */
  readonly counts?: CountedRow;
  /** Only for the type of its rows. */
  readonly result?: Result;
}

/** A new row and the lists that count it, by its position. */
export interface CountedRow {
  readonly table: string;
  readonly id: string;
  readonly lists: readonly string[];
}

/** Why a change was rolled back: which statement, and the reason. */
export interface Refusal {
  readonly at: number;
  readonly why: "missed" | "duplicate" | "referenced";
}

/** What other servers write to the same database. */
export interface OtherServers {
  /** False while commits of other servers are not reported, because the connection is lost. */
  isListening(): boolean;
  /** Called after commits of other servers, and when reports resume, since some may have been missed. */
  onWritten(listener: () => void): void;
}

/** An open transaction: it sees its own changes, and nobody else does before the commit. */
export interface Transaction {
  read(statement: Statement): Promise<DatabaseRow[]>;
  /** All of the statements or none of them. A refusal leaves what was written before. */
  write(statements: readonly Statement[]): Promise<Refusal | undefined>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * The interface of a database for the store: six calls. Everything else is written once, on top. A write is a list of
 * statements, all or nothing. Only dry runs and batches hold a transaction open, for a limited time.
 */
export interface Database {
  readonly name: "sqlite" | "postgres";
  /** Only this process writes to the database: reads stay valid until we write. */
  readonly exclusive: boolean;
  /** Undefined in an exclusive database. */
  readonly others: OtherServers | undefined;
  /**
   * The number of batches written so far, by this server and, as far as they are reported, by others. While the number
   * stays the same, nothing changes in an exclusive database. In a shared one, batches of silent statements do not
   * count.
   */
  written(): number;
  readonly dialect: Dialect;
  /** Run first inside a migration, so that two servers that start concurrently do not both migrate. */
  readonly migrationLock: Statement | undefined;
  read(statement: Statement): Promise<DatabaseRow[]>;
  readOne(statement: Statement): Promise<DatabaseRow | undefined>;
  write(statements: readonly Statement[]): Promise<Refusal | undefined>;
  /** Changes of others may wait until the transaction ends: every transaction must be committed or rolled back. */
  begin(): Promise<Transaction>;
  close(): Promise<void>;
}
