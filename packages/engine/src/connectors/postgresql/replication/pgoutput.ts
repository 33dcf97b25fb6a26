/**
 * Messages of PostgreSQL's output plugin `pgoutput`, protocol version 1: transactions in the order of their commits, each as
 * Begin, changes and Commit. https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 */

/** A table as it was at this point of the log. It comes before its first change and after every change of its columns. */
export interface LogRelation {
  /** The oid of the table. */
  readonly id: number;
  readonly columns: readonly string[];
  /** The columns that identify a changed or deleted row. */
  readonly keys: ReadonlySet<string>;
}

/** The values of a row, as places in the bytes of its message. */
export class LogTuple {
  count = 0;
  readonly kinds: number[] = [];
  readonly starts: number[] = [];
  readonly lengths: number[] = [];
}

export const tupleNull = "n".charCodeAt(0);
/** A large value that did not change. It is not in the log. */
export const tupleUnchanged = "u".charCodeAt(0);
const tupleText = "t".charCodeAt(0);

/** What the old values of a changed row are: the key only, or the whole row (REPLICA IDENTITY FULL). */
export type OldTuple = "none" | "key" | "row";

export interface LogHandler {
  begin(commitLsn: bigint): void;
  relation(relation: LogRelation): void;
  insert(relation: number, bytes: Buffer, row: LogTuple): void;
  update(relation: number, bytes: Buffer, row: LogTuple, old: LogTuple, kind: OldTuple): void;
  delete(relation: number, bytes: Buffer, old: LogTuple): void;
  truncate(relations: readonly number[]): void;
  commit(endLsn: bigint): void;
}

const [B, C, R, I, U, D, T, K, O, N] = [..."BCRIUDTKON"].map((letter) => letter.charCodeAt(0));

/** Reads messages without creating values: a handler gets the places of a row's values, which are valid until it returns. */
export class PgoutputReader {
  readonly #handler: LogHandler;
  readonly #row = new LogTuple();
  readonly #old = new LogTuple();

  constructor(handler: LogHandler) {
    this.#handler = handler;
  }

  /** Reads the message from offset `from` to before offset `to`. */
  message(bytes: Buffer, view: DataView, from: number, to: number): void {
    const handler = this.#handler;
    switch (bytes[from]) {
      case B:
        handler.begin(view.getBigUint64(from + 1));
        break;
      case C:
        handler.commit(view.getBigUint64(from + 10));
        break;
      case R:
        handler.relation(readRelation(bytes, view, from + 1));
        break;
      case I:
        readTuple(this.#row, bytes, view, from + 6);
        handler.insert(view.getUint32(from + 1), bytes, this.#row);
        break;
      case U:
        this.#update(bytes, view, from);
        break;
      case D:
        readTuple(this.#old, bytes, view, from + 6);
        handler.delete(view.getUint32(from + 1), bytes, this.#old);
        break;
      case T: {
        const count = view.getInt32(from + 1);
        handler.truncate(Array.from({ length: count }, (_, at) => view.getUint32(from + 6 + at * 4)));
        break;
      }
      default:
        // Origin, Type and Message say nothing about rows.
        if (to <= from) throw new Error("A message of the log is empty.");
    }
  }

  #update(bytes: Buffer, view: DataView, from: number): void {
    const relation = view.getUint32(from + 1);
    const kind = oldKind(bytes[from + 5]);
    const at = kind === "none" ? from + 5 : readTuple(this.#old, bytes, view, from + 6);
    if (bytes[at] !== N) throw new Error("An update in the log has no new row.");
    readTuple(this.#row, bytes, view, at + 1);
    this.#handler.update(relation, bytes, this.#row, this.#old, kind);
  }
}

const oldKind = (letter: number | undefined): OldTuple =>
  letter === K ? "key" : letter === O ? "row" : "none";

/** Returns the offset after the tuple. */
function readTuple(into: LogTuple, bytes: Buffer, view: DataView, start: number): number {
  into.count = view.getInt16(start);
  let at = start + 2;
  for (let column = 0; column < into.count; column++) {
    const kind = bytes[at] ?? 0;
    at += 1;
    into.kinds[column] = kind;
    if (kind === tupleNull || kind === tupleUnchanged) continue;
    if (kind !== tupleText) throw new Error(`A value in the log has the unknown format ${kind}.`);
    const length = view.getInt32(at);
    into.starts[column] = at + 4;
    into.lengths[column] = length;
    at += 4 + length;
  }
  return at;
}

function readRelation(bytes: Buffer, view: DataView, start: number): LogRelation {
  let at = start + 4;
  const text = () => {
    const end = bytes.indexOf(0, at);
    const value = bytes.toString("utf8", at, end);
    at = end + 1;
    return value;
  };
  // Skips schema and table, which may have been renamed since.
  text();
  text();
  const count = view.getInt16(at + 1);
  at += 3;
  const keys = new Set<string>();
  const columns = Array.from({ length: count }, () => {
    const isKey = bytes[at] === 1;
    at += 1;
    const name = text();
    if (isKey) keys.add(name);
    at += 8;
    return name;
  });
  return { id: view.getUint32(start), columns, keys };
}
