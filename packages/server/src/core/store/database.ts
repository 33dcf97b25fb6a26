import type { Dialect } from "kysely";

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** One SQL statement as data: it can be sent to a thread, and costs nothing until it runs. */
export interface Statement<Result = unknown> {
  readonly sql: string;
  readonly parameters: readonly Value[];
  /** How many rows it must change. Another number: the whole change is undone and reported as missed. */
  readonly expect?: number;
  /** Only for the type of its rows. */
  readonly result?: Result;
}

/** Why a change was undone: which statement, and what it ran into. */
export interface Refusal {
  readonly at: number;
  readonly why: "missed" | "duplicate" | "referenced";
}

/**
 * What a database must do for the store: five calls. Everything else is written once, on top.
 * A write is a list of statements, all or nothing. No caller ever holds a transaction open.
 */
export interface Database {
  readonly name: "sqlite" | "postgres";
  /** Nobody but this process writes to it: what was read stays true until we write. */
  readonly exclusive: boolean;
  /** How many batches were written so far; between two of them nothing changes in an exclusive database. */
  written(): number;
  readonly dialect: Dialect;
  /** Run first inside a migration, so that two servers that start at once do not both migrate. */
  readonly migrationLock: Statement | undefined;
  read(statement: Statement): Promise<Row[]>;
  readOne(statement: Statement): Promise<Row | undefined>;
  write(statements: readonly Statement[]): Promise<Refusal | undefined>;
  close(): Promise<void>;
}
