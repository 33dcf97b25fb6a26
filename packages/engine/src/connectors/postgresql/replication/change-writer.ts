import type { BatchWriter } from "../../../warehouse/ring-buffer/batch-writer.ts";
import { rewriteText, type TextRewrite } from "./log-text.ts";
import {
  type LogHandler,
  type LogRelation,
  type LogTuple,
  type OldTuple,
  tupleNull,
  tupleUnchanged,
} from "./pgoutput.ts";

/** A table whose changes are staged. */
export interface LoggedTable {
  readonly oid: number;
  /** If so, the log does not say what identifies the rows of a partition. */
  readonly isPartitioned: boolean;
  readonly from: bigint;
  readonly columns: readonly {
    readonly name: string;
    readonly base: string;
    readonly dimensions: number;
    readonly rewrite: TextRewrite | undefined;
    /**
     * Whether the last run has read the column. If so, and the log lacks it, the column had another name for a time.
     */
    readonly wasThere: boolean;
  }[];
  /** Indexes of the key columns. */
  readonly keys: readonly number[];
}

/** Columns of a staged change before its values. */
const number = 0;
const tableIndex = 1;
const kind = 2;
const position = 3;
const unchanged = 4;
const firstValue = 5;

/** A table, and for each of its columns the index in the relation of the log; -1: the table had no such column yet. */
interface MappedTable {
  readonly index: number;
  readonly table: LoggedTable;
  readonly places: readonly number[];
  /** Whether the log says which row was changed, and has all columns of its new values. */
  readonly isWhole: boolean;
}

/**
 * Stages changes: `I`nserted, `U`pdated, `D`eleted, `M`oved (a row with another key: before it comes the deletion of the old
 * one), `T`runcated, and `X`: a row was changed, and the log does not say which, or lacks values. Values are copied as bytes.
 */
export class ChangeWriter implements LogHandler {
  isInTransaction = false;
  /** The end of the last transaction. */
  position = 0n;
  readonly #batches: BatchWriter;
  readonly #tables: readonly LoggedTable[];
  readonly #relations = new Map<number, readonly MappedTable[]>();
  readonly #valueColumns: number;
  #commit = 0n;
  #count = 0n;

  constructor(batches: BatchWriter, tables: readonly LoggedTable[]) {
    this.#batches = batches;
    this.#tables = tables;
    this.#valueColumns = batches.layout.wires.length - firstValue;
  }

  begin(commitLsn: bigint): void {
    this.isInTransaction = true;
    this.#commit = commitLsn;
  }

  commit(endLsn: bigint): void {
    this.isInTransaction = false;
    this.advance(endLsn);
  }

  /** All changes before this position were read. */
  advance(position: bigint): void {
    if (position > this.position) this.position = position;
  }

  relation({ id, columns, keys }: LogRelation): void {
    const mapped = this.#tables.flatMap((logged, index): MappedTable[] => {
      if (logged.oid !== id) return [];
      const places = logged.columns.map(({ name }) => columns.indexOf(name));
      // Without keys, a row is identified by all columns that the table had.
      const needed =
        logged.keys.length > 0 ? logged.keys : places.flatMap((place, at) => (place === -1 ? [] : [at]));
      const isIdentified =
        logged.isPartitioned || needed.every((at) => keys.has(logged.columns[at]?.name ?? ""));
      const isWhole = isIdentified && !places.some((at, n) => at === -1 && logged.columns[n]?.wasThere);
      return [{ index, table: logged, places, isWhole }];
    });
    this.#relations.set(id, mapped);
  }

  insert(relation: number, bytes: Buffer, row: LogTuple): void {
    for (const mapped of this.#mapped(relation)) {
      if (mapped.isWhole) this.#write(mapped, "I", bytes, row, undefined);
      else this.#write(mapped, "X", undefined, undefined, undefined);
    }
  }

  update(relation: number, bytes: Buffer, row: LogTuple, old: LogTuple, oldKind: OldTuple): void {
    for (const mapped of this.#mapped(relation)) {
      const whole = oldKind === "row" ? old : undefined;
      if (!mapped.isWhole) {
        this.#write(mapped, "X", undefined, undefined, undefined);
      } else if (mapped.table.keys.length === 0) {
        this.#write(mapped, "D", bytes, old, undefined);
        this.#write(mapped, "I", bytes, row, whole);
      } else if (oldKind === "none" || !hasOtherKey(mapped, bytes, row, old)) {
        this.#write(mapped, "U", bytes, row, whole);
      } else {
        this.#write(mapped, "D", bytes, old, undefined);
        this.#write(mapped, "M", bytes, row, whole);
      }
    }
  }

  delete(relation: number, bytes: Buffer, old: LogTuple): void {
    for (const mapped of this.#mapped(relation)) {
      if (mapped.isWhole) this.#write(mapped, "D", bytes, old, undefined);
      else this.#write(mapped, "X", undefined, undefined, undefined);
    }
  }

  truncate(relations: readonly number[]): void {
    for (const relation of relations) {
      for (const mapped of this.#mapped(relation)) this.#write(mapped, "T", undefined, undefined, undefined);
    }
  }

  /** The tables that still need changes of this transaction. */
  #mapped(relation: number): readonly MappedTable[] {
    const mapped = this.#relations.get(relation) ?? [];
    return mapped.every(({ table }) => this.#commit >= table.from)
      ? mapped
      : mapped.filter(({ table }) => this.#commit >= table.from);
  }

  /** `whole` has the values that `row` leaves out because they did not change. */
  #write(
    { index, table, places }: MappedTable,
    change: string,
    bytes: Buffer | undefined,
    row: LogTuple | undefined,
    whole: LogTuple | undefined,
  ): void {
    const batches = this.#batches;
    // Blocks this thread, which has no other work. The server waits as well.
    if (!batches.hasSpace) batches.ring.waitForSpace();
    batches.beginRow();
    this.#count += 1n;
    batches.int64[(batches.values[number] ?? 0) / 8 + batches.row] = this.#count;
    batches.int32[(batches.values[tableIndex] ?? 0) / 4 + batches.row] = index;
    batches.setText(kind, change);
    batches.int64[(batches.values[position] ?? 0) / 8 + batches.row] = this.#commit;
    let missing = "";
    for (let column = 0; column < this.#valueColumns; column++) {
      const at = places[column] ?? -1;
      if (!row || !bytes || at === -1 || at >= row.count) {
        batches.setNull(firstValue + column);
        continue;
      }
      let from = row;
      if (row.kinds[at] === tupleUnchanged && whole) from = whole;
      if (from.kinds[at] === tupleUnchanged) missing += `${column},`;
      this.#value(firstValue + column, table.columns[column], bytes, from, at);
    }
    if (missing === "") batches.setNull(unchanged);
    else batches.setText(unchanged, `,${missing}`);
    batches.endRow();
  }

  #value(
    into: number,
    column: LoggedTable["columns"][number] | undefined,
    bytes: Buffer,
    row: LogTuple,
    at: number,
  ): void {
    if (row.kinds[at] === tupleNull || row.kinds[at] === tupleUnchanged) {
      this.#batches.setNull(into);
      return;
    }
    const [start, length] = [row.starts[at] ?? 0, row.lengths[at] ?? 0];
    if (column?.rewrite === undefined) {
      this.#batches.setBytes(into, bytes, start, length);
      return;
    }
    const text = bytes.toString("utf8", start, start + length);
    this.#batches.setText(into, rewriteText(column.rewrite, text, column.base, column.dimensions));
  }
}

function hasOtherKey({ table, places }: MappedTable, bytes: Buffer, row: LogTuple, old: LogTuple): boolean {
  return table.keys.some((key) => {
    const at = places[key] ?? -1;
    if (row.kinds[at] === tupleUnchanged) return false;
    if (row.kinds[at] !== old.kinds[at]) return true;
    if (row.kinds[at] === tupleNull) return false;
    const [one, other] = [row, old].map((tuple) => {
      const start = tuple.starts[at] ?? 0;
      return bytes.subarray(start, start + (tuple.lengths[at] ?? 0));
    });
    return !one?.equals(other ?? Buffer.alloc(0));
  });
}
