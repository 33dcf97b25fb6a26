import type { WarehouseColumn } from "../../protocol/column.ts";
import type { Intake } from "./row-sink.ts";

/** One thing that was tried, and how it went, in words: `can connect to shop at db:5432 as loader`. */
export interface ConnectionFinding {
  readonly ok: boolean;
  readonly sentence: string;
}

/** A table, file or collection that a connection offers. */
export interface DatasetDescription {
  /** As it is written in `source_dataset`. */
  readonly name: string;
  readonly columns: readonly (WarehouseColumn & { readonly nullable: boolean })[];
  /** Columns that come only where they are asked for by name, as a watermark may: the time of a row's file. */
  readonly hidden?: readonly WarehouseColumn[];
  readonly primary_keys: readonly string[];
  /** Columns that only grow when a row changes, the likeliest first: times of change, then growing numbers. */
  readonly watermark_candidates: readonly string[];
  /** Where it is known without counting. */
  readonly rows: number | null;
}

/** Rows from this value of the column on, the value included: rows of equal marks may have come since. */
export interface Since {
  readonly column: string;
  /** As the warehouse writes it in text, times with microseconds and offset. */
  readonly value: string;
}

export interface Reading {
  readonly dataset: string;
  /** Which columns, in which order; among those that `describe` gave. */
  readonly columns: readonly WarehouseColumn[];
  readonly since: Since | undefined;
  readonly into: Intake;
  readonly signal: AbortSignal;
}

/** A place that rows are read from. Made for one run and closed after it. */
export interface Source {
  check(datasets: readonly string[]): Promise<ConnectionFinding[]>;
  discover(): Promise<DatasetDescription[]>;
  /** Throws a DataProblem that names the nearest ones, where there is no such dataset. */
  describe(dataset: string): Promise<DatasetDescription>;
  read(reading: Reading): Promise<void>;
  close(): Promise<void>;
}
