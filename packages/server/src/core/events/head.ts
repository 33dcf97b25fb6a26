import { counted } from "@lakehelm/contract/text";
import { type Store, VersionConflict } from "../store/store.ts";
import { unrecorded } from "../system.ts";
import {
  type ChainPosition,
  type EventKey,
  type Head,
  isSealed,
  isSealedWithoutSignatures,
  link,
  sealHead,
  signPending,
} from "./chain.ts";
import type { LogProblem } from "./problem.ts";
import type { LogStart } from "./start.ts";

/** The head row of the log, compared with what this server knows. */
export interface LogHead {
  /** The last position that this server has verified. */
  readonly trusted: ChainPosition | undefined;
  /** A position that is known from elsewhere: from an anchor, or because this server has sealed up to it. */
  trust(position: ChainPosition): void;
  /** The head row as it is stored, unverified. */
  read(): Promise<Head | undefined>;
  /** The position to continue from. Repairs a head row that was changed. Throws if it was written with another key. */
  current(): Promise<Head>;
  /** Signs, once, the events that an earlier version has left unsealed. After that, every event needs a signature. */
  upgrade(): Promise<void>;
}

export function createLogHead(
  store: Store,
  key: EventKey,
  start: Pick<LogStart, "read">,
  report: (problem: LogProblem) => void,
): LogHead {
  const readHead = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("event_head").select(["sequence", "hash", "mac"]).where("id", "=", 1),
  );
  const readEvent = store.prepare((db, v: { sequence: number }) =>
    db.selectFrom("events").select("hash").where("sequence", "=", v.sequence),
  );
  const readEvents = store.prepare((db, v: { after: number; limit: number }) =>
    db
      .selectFrom("events")
      .select(["sequence", "body", "hash"])
      .where("sequence", ">", v.after)
      .orderBy("sequence")
      .limit(v.limit),
  );
  const replaceHead = store.prepare(
    (db, v: { found: number; foundMac: string; sequence: number; hash: string; mac: string }) =>
      db
        .updateTable("event_head")
        .set({ sequence: v.sequence, hash: v.hash, mac: v.mac })
        .where("id", "=", 1)
        .where("sequence", "=", v.found)
        .where("mac", "=", v.foundMac),
  );
  const insertHead = store.prepare((db, v: { sequence: number; hash: string; mac: string }) =>
    db.insertInto("event_head").values({ id: 1, sequence: v.sequence, hash: v.hash, mac: v.mac }),
  );
  const readUnsigned = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("pending_events").select(["arrival", "body"]).where("mac", "is", null),
  );
  const sign = store.prepare((db, v: { arrival: number; mac: string }) =>
    db.updateTable("pending_events").set({ mac: v.mac }).where("arrival", "=", v.arrival),
  );

  let trusted: ChainPosition | undefined;

  const read = () => store.one(readHead({}));

  /** Also true for an event that retention has removed: of the removed events only the last hash is left to compare. */
  async function isStored({ sequence, hash }: ChainPosition): Promise<boolean> {
    if (sequence === 0 || (await store.one(readEvent({ sequence })))?.hash === hash) return true;
    const begin = await start.read();
    if (!begin || begin.sequence < sequence) return false;
    return begin.sequence > sequence || begin.hash === hash;
  }

  /**
   * Follows the rows after a position as far as their hashes continue the chain: hashes cannot be computed without the
   * key.
   */
  async function follow(from: ChainPosition): Promise<ChainPosition> {
    let at = from;
    for (;;) {
      const rows = await store.all(readEvents({ after: at.sequence, limit: 1000 }));
      for (const { sequence, body, hash } of rows) {
        if (sequence !== at.sequence + 1 || link(key, at.hash, sequence, body) !== hash) return at;
        at = { sequence, hash };
      }
      if (rows.length === 0) return at;
    }
  }

  async function repair(found: Head | undefined, known: ChainPosition): Promise<Head> {
    const begin = await start.read();
    const head = sealHead(key, await follow(begin && begin.sequence > known.sequence ? begin : known));
    const step = found
      ? { ...replaceHead({ found: found.sequence, foundMac: found.mac, ...head }), expect: 1 }
      : insertHead({ ...head });
    await store.apply({ context: unrecorded, steps: [step], events: [] });
    report({
      reason: "head_changed",
      problem: "The head of the log was changed or removed.",
      details: { sequence: head.sequence },
    });
    return head;
  }

  /** `known` was committed before the head is read, so the head cannot be behind it. */
  async function check(known: ChainPosition | undefined): Promise<Head> {
    const found = await read();
    if (!found || !isSealed(key, found)) {
      if (known) return repair(found, known);
      throw new Error(
        "The head of the event log was not written with this key. No event is added to the log.",
      );
    }
    if (!known || (found.sequence === known.sequence && found.hash === known.hash)) return found;
    if (await isStored(known)) return found.sequence > known.sequence ? found : repair(found, known);
    // Another call has reported this problem.
    if (trusted !== known) return found;
    trusted = { sequence: found.sequence, hash: found.hash };
    const isShorter = found.sequence < known.sequence;
    report({
      reason: isShorter ? "cut_off" : "replaced",
      problem: isShorter
        ? `The log was cut off: it had ${counted(known.sequence, "event")}.`
        : `The log was replaced: event ${known.sequence} is another one.`,
      details: { expected: known, found: { sequence: found.sequence, hash: found.hash } },
    });
    return found;
  }

  return {
    get trusted() {
      return trusted;
    },
    trust({ sequence, hash }) {
      trusted = { sequence, hash };
    },
    read,
    async current() {
      for (let n = 1; ; n++) {
        try {
          const known = trusted;
          const head = await check(known);
          // The sealer may have moved on in the meantime.
          if (trusted === known) trusted = { sequence: head.sequence, hash: head.hash };
          return head;
        } catch (error) {
          // Another server has moved or repaired the head.
          if (!(error instanceof VersionConflict) || n === 5) throw error;
        }
      }
    },
    async upgrade() {
      const found = await read();
      if (!found || !isSealedWithoutSignatures(key, found)) return;
      const rows = await store.all(readUnsigned({}));
      const steps = rows.map(({ arrival, body }) => sign({ arrival, mac: signPending(key, body) }));
      const head = replaceHead({ found: found.sequence, foundMac: found.mac, ...sealHead(key, found) });
      try {
        await store.apply({ context: unrecorded, steps: [{ ...head, expect: 1 }, ...steps], events: [] });
      } catch (error) {
        // Another server has signed them first.
        if (!(error instanceof VersionConflict)) throw error;
      }
    },
  };
}
