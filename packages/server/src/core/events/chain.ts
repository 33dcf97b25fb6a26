import { hash } from "node:crypto";
import { equalInConstantTime } from "../secrets/vault.ts";
import type { EventRow } from "../store/store.ts";

/** A position in the chain: the number of events, and the hash of the last one. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

/** The head of the chain: its position, and a MAC over it. */
export interface Head extends ChainPosition {
  readonly mac: string;
}

/** The two blocks of HMAC-SHA256 that a key begins, each with room for what is hashed after it. */
export interface EventKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

const blockSize = 64;
const hashSize = 32;
/** Most events are shorter; a longer text gets a buffer of its own. */
const textSize = 16 * 1024;

export function eventKey(bytes: Buffer): EventKey {
  const block = (mask: number, size: number) => {
    const made = Buffer.alloc(blockSize + size);
    bytes.copy(made);
    for (let n = 0; n < blockSize; n++) made[n] = (made[n] as number) ^ mask;
    return made;
  };
  if (bytes.length > blockSize) throw new Error("The key of the event log is too long.");
  return { inner: block(0x36, textSize), outer: block(0x5c, hashSize) };
}

/** HMAC-SHA256. Two plain hashes cost two thirds of `createHmac`, which makes an object for each text. */
export function macOf({ inner, outer }: EventKey, text: string): string {
  let block = inner;
  // A character has up to three bytes.
  if (text.length * 3 > textSize) {
    block = Buffer.alloc(blockSize + text.length * 3);
    inner.copy(block, 0, 0, blockSize);
  }
  const end = blockSize + block.write(text, blockSize);
  outer.write(hash("sha256", block.subarray(0, end), "latin1"), blockSize, "latin1");
  return hash("sha256", outer, "base64url");
}

const isMac = (expected: string, found: string): boolean =>
  equalInConstantTime(Buffer.from(expected), Buffer.from(found));

/** Each hash covers the previous hash, the sequence and the event's text; computing one requires the key. */
export const link = (key: EventKey, before: string, sequence: number, body: string): string =>
  macOf(key, `event\n${before}\n${sequence}\n${body}`);

/** The head has its own MAC, so that an older head cannot be rebuilt from the remaining rows. */
export const sealHead = (key: EventKey, { sequence, hash }: ChainPosition): Head => ({
  sequence,
  hash,
  mac: macOf(key, `head of signed events\n${sequence}\n${hash}`),
});

export function isSealed(key: EventKey, head: Head): boolean {
  if (head.sequence === 0 && head.mac === "") return head.hash === "";
  return isMac(sealHead(key, head).mac, head.mac) || isSealedWithoutSignatures(key, head);
}

/** The MAC of earlier versions, whose pending events had no MAC. */
export const isSealedWithoutSignatures = (key: EventKey, { sequence, hash, mac }: Head): boolean =>
  sequence > 0 && isMac(macOf(key, `head\n${sequence}\n${hash}`), mac);

/** Where the log begins: after the last event that retention has removed. */
export interface Start extends ChainPosition {
  /** The latest time of a removed event. */
  readonly time: string;
  readonly mac: string;
}

export const sealStart = (key: EventKey, { sequence, hash, time }: Omit<Start, "mac">): Start => ({
  sequence,
  hash,
  time,
  mac: macOf(key, `start\n${sequence}\n${hash}\n${time}`),
});

/** A log from which nothing was removed has an empty start. */
export function isStart(key: EventKey, start: Start): boolean {
  const { sequence, hash, time, mac } = start;
  if (sequence === 0 && mac === "") return hash === "" && time === "";
  return isMac(sealStart(key, start).mac, mac);
}

/** The MAC of a line in the manifest of an archive. */
export const signArchiveLine = (key: EventKey, previous: string, line: string): string =>
  macOf(key, `archive\n${previous}\n${line}`);

export const isArchiveLine = (key: EventKey, previous: string, line: string, mac: string): boolean =>
  isMac(signArchiveLine(key, previous, line), mac);

export const signAnchor = (key: EventKey, text: string): string => macOf(key, `anchor\n${text}`);

export const isAnchor = (key: EventKey, text: string, mac: string): boolean =>
  isMac(signAnchor(key, text), mac);

/**
 * The MAC of an event that is not sealed yet, made with the change. The text has the event's unique id: a copy of the row
 * is recognized as a copy.
 */
export const signPending = (key: EventKey, body: string): string => macOf(key, `pending\n${body}`);

export const isSigned = (key: EventKey, body: string, mac: string | null): boolean =>
  mac !== null && isMac(signPending(key, body), mac);

/** Signs the events of a store's changes. */
export function pendingSigner(bytes: Buffer): (body: string) => string {
  const key = eventKey(bytes);
  return (body) => signPending(key, body);
}

/** More events are not remembered: only a log that cannot be sealed has this many unsealed events. */
const most = 10_000;

/** The events that this server has committed and that are not sealed yet. */
export interface UnsealedEvents {
  add(rows: readonly EventRow[]): void;
  /** The number of events so far: an event that is committed later is not expected among the rows that are read now. */
  count(): number;
  /** Whether this server has written exactly this row. */
  has(row: EventRow): boolean;
  remove(id: string): void;
  /** The first `count` events, without those with these ids. */
  without(ids: ReadonlySet<string>, count: number): EventRow[];
}

export function createUnsealedEvents(): UnsealedEvents {
  const rows = new Map<string, { readonly row: EventRow; readonly n: number }>();
  let added = 0;
  return {
    add(more) {
      for (const row of more) {
        added += 1;
        if (rows.size < most) rows.set(row.id, { row, n: added });
      }
    },
    count: () => added,
    has({ id, kind, subject, body, mac }) {
      const row = rows.get(id)?.row;
      return (
        row !== undefined &&
        row.body === body &&
        row.mac === mac &&
        row.kind === kind &&
        row.subject === subject
      );
    },
    remove: (id) => void rows.delete(id),
    without(ids, count) {
      const left: EventRow[] = [];
      for (const { row, n } of rows.values()) {
        if (n > count) break;
        if (!ids.has(row.id)) left.push(row);
      }
      return left;
    },
  };
}
