import type { Sql } from "../load.ts";
import type { Known } from "./known.ts";
import type { Streamable } from "./streams.ts";

/** What a dataset or statement is read with when its turn comes. */
export interface Turn {
  readonly sql: Sql;
  /** What is there by then; what it makes is added to it. */
  readonly known: Known;
  streamable(table: string): Streamable;
}
