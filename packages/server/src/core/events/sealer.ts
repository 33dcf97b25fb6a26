import { sql } from "kysely";
import type { SqlValue } from "../store/database.ts";
import { type Step, type Store, VersionConflict } from "../store/store.ts";
import { unrecorded } from "../system.ts";
import { isSealed, link, sealHead } from "./chain.ts";

/** Events per batch; larger batches only delay readers. */
const batch = 100;

/** Events per statement, largest first: one statement per event costs three times as much. */
const sizes = [25, 5, 1] as const;

/** A pending event with its sequence and hash. */
interface EventSeal {
  readonly arrival: number;
  readonly sequence: number;
  readonly hash: string;
}

export interface Sealer {
  /** Seals all committed events; resolves when none is pending. */
  seal(): Promise<void>;
}

/**
 * Assigns sequences to committed events and chains their hashes. Writers insert into `pending_events` and never wait for
 * each other. Any server may seal; the update of the head row is an optimistic lock: the server that loses reads again.
 */
export function createSealer(store: Store, key: Buffer): Sealer {
  const readHead = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("event_head").select(["sequence", "hash", "mac"]).where("id", "=", 1),
  );
  const readPending = store.prepare((db, v: { limit: number }) =>
    db.selectFrom("pending_events").select(["arrival", "body"]).orderBy("arrival").limit(v.limit),
  );
  const moveHead = store.prepare((db, v: { before: number; sequence: number; hash: string; mac: string }) =>
    db
      .updateTable("event_head")
      .set({ sequence: v.sequence, hash: v.hash, mac: v.mac })
      .where("id", "=", 1)
      .where("sequence", "=", v.before),
  );
  /** One statement that moves this many events from `pending_events` into the log. */
  const enter = (count: number) =>
    store.prepare((db, v: Record<`${"arrival" | "sequence" | "hash"}${number}`, SqlValue>) => {
      const row = (_: unknown, n: number) =>
        sql`(cast(${v[`arrival${n}`]} as bigint), cast(${v[`sequence${n}`]} as bigint), cast(${v[`hash${n}`]} as text))`;
      // Both databases call the columns of a list of values column1, column2 and so on.
      const sealed = sql<{
        column1: number;
        column2: number;
        column3: string;
      }>`(values ${sql.join(Array.from({ length: count }, row))})`;
      return db
        .insertInto("events")
        .columns(["sequence", "id", "kind", "subject", "body", "hash"])
        .expression(
          db
            .selectFrom(sealed.as("sealed"))
            .innerJoin("pending_events", "pending_events.arrival", "sealed.column1")
            .select([
              "sealed.column2 as sequence",
              "pending_events.id",
              "kind",
              "subject",
              "body",
              "sealed.column3 as hash",
            ]),
        );
    });
  const clear = (count: number) =>
    store.prepare((db, v: Record<number, number>) =>
      db.deleteFrom("pending_events").where(
        "arrival",
        "in",
        Array.from({ length: count }, (_, n) => v[n] as number),
      ),
    );
  const statements = sizes.map((size) => ({ size, enter: enter(size), clear: clear(size) }));

  /** The fewest statements that seal these events. */
  function stepsFor(events: readonly EventSeal[]): Step[] {
    const steps: Step[] = [];
    let at = 0;
    for (const { size, enter, clear } of statements) {
      for (; events.length - at >= size; at += size) {
        const some = events.slice(at, at + size);
        const values = some.flatMap(({ arrival, sequence, hash }, n) => [
          [`arrival${n}`, arrival],
          [`sequence${n}`, sequence],
          [`hash${n}`, hash],
        ]);
        steps.push(
          { ...enter(Object.fromEntries(values)), expect: size },
          { ...clear({ ...some.map(({ arrival }) => arrival) }), expect: size },
        );
      }
    }
    return steps;
  }

  async function sealBatch(): Promise<number> {
    const pending = await store.all(readPending({ limit: batch }));
    if (pending.length === 0) return 0;
    const head = await store.one(readHead({}));
    if (!head || !isSealed(key, head)) {
      throw new Error(
        "The head of the event log was not written with this key. No event is added to the log.",
      );
    }
    let { sequence, hash } = head;
    const sealed = pending.map(({ arrival, body }): EventSeal => {
      sequence += 1;
      hash = link(key, hash, sequence, body);
      return { arrival, sequence, hash };
    });
    const move = moveHead({ before: head.sequence, ...sealHead(key, sequence, hash) });
    await store.apply({
      context: unrecorded,
      steps: [{ ...move, expect: 1 }, ...stepsFor(sealed)],
      events: [],
    });
    return pending.length;
  }

  let running: Promise<void> | undefined;
  let again = false;

  /** Another server has sealed these events: continue after them. If the head did not move, a row is in the way. */
  async function sealNextBatch(): Promise<number> {
    for (let unchanged = 0, last = -1; ; ) {
      try {
        return await sealBatch();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
      const now = (await store.one(readHead({})))?.sequence ?? 0;
      unchanged = now === last ? unchanged + 1 : 0;
      last = now;
      if (unchanged === 5)
        throw new Error(`Event ${now + 1} already exists, but the head of the log is ${now}.`);
    }
  }

  async function run(): Promise<void> {
    do {
      again = false;
      while ((await sealNextBatch()) > 0);
    } while (again);
  }

  return {
    seal() {
      again = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
