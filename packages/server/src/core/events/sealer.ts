import { sql } from "kysely";
import type { Value } from "../store/database.ts";
import { type Step, type Store, VersionConflict } from "../store/store.ts";
import { isSealed, link, sealHead } from "./chain.ts";

/** How many events one step seals; more than that at once only makes readers wait longer. */
const batch = 100;

/** How many events one statement seals, the most first: a statement for each would cost three times as much. */
const sizes = [25, 5, 1] as const;

/** A pending event and what it gets in the log. */
interface SealedEvent {
  readonly arrival: number;
  readonly sequence: number;
  readonly hash: string;
}

export interface Sealer {
  /** Seals what is committed by now; resolves when nothing is left. */
  seal(): Promise<void>;
}

/**
 * Gives committed events their sequence and chains their hashes. Writers only leave their events in
 * `pending_events` and never wait for each other; any server may seal, and the head (a row of its own)
 * decides who was first: the update of the other one misses, and it looks again.
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
  /** One statement moves so many events from `pending_events` into the log. */
  const enter = (count: number) =>
    store.prepare((db, v: Record<`${"arrival" | "sequence" | "hash"}${number}`, Value>) => {
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

  /** The statements that seal these events, as few as there can be. */
  function entering(events: readonly SealedEvent[]): Step[] {
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

  async function step(): Promise<number> {
    const pending = await store.all(readPending({ limit: batch }));
    if (pending.length === 0) return 0;
    const head = await store.one(readHead({}));
    if (!head || !isSealed(key, head)) {
      throw new Error(
        "The head of the event log is not the one this key has sealed: nothing is added to it.",
      );
    }
    let { sequence, hash } = head;
    const sealed = pending.map(({ arrival, body }): SealedEvent => {
      sequence += 1;
      hash = link(key, hash, sequence, body);
      return { arrival, sequence, hash };
    });
    const move = moveHead({ before: head.sequence, ...sealHead(key, sequence, hash) });
    await store.apply({
      context: { actor: "sealer", requestId: null, time: "" },
      steps: [{ ...move, expect: 1 }, ...entering(sealed)],
      events: [],
    });
    return pending.length;
  }

  let running: Promise<void> | undefined;
  let again = false;

  /** Another server has sealed these: go on behind it. Where the head stands still, a row is in the way. */
  async function stepBehindOthers(): Promise<number> {
    for (let stood = 0, last = -1; ; ) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
      const now = (await store.one(readHead({})))?.sequence ?? 0;
      stood = now === last ? stood + 1 : 0;
      last = now;
      if (stood === 5)
        throw new Error(`Event ${now + 1} is there already, but the head of the log is ${now}.`);
    }
  }

  async function run(): Promise<void> {
    do {
      again = false;
      while ((await stepBehindOthers()) > 0);
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
