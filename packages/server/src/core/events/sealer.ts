import { type Store, VersionConflict } from "../store/store.ts";
import { isSealed, link, sealHead } from "./chain.ts";

/** How many events one step seals; more than that at once only makes readers wait longer. */
const batch = 100;

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
  const enter = store.prepare((db, v: { arrival: number; sequence: number; hash: string }) =>
    db
      .insertInto("events")
      .columns(["sequence", "id", "kind", "subject", "body", "hash"])
      .expression((eb) =>
        eb
          .selectFrom("pending_events")
          .select((eb) => [
            eb.cast<number>(eb.val(v.sequence), "bigint").as("sequence"),
            "id",
            "kind",
            "subject",
            "body",
            eb.cast<string>(eb.val(v.hash), "text").as("hash"),
          ])
          .where("arrival", "=", v.arrival),
      ),
  );
  const clear = store.prepare((db, v: { arrival: number }) =>
    db.deleteFrom("pending_events").where("arrival", "=", v.arrival),
  );

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
    const entries = pending.flatMap(({ arrival, body }) => {
      sequence += 1;
      hash = link(key, hash, sequence, body);
      return [
        { ...enter({ arrival, sequence, hash }), expect: 1 },
        { ...clear({ arrival }), expect: 1 },
      ];
    });
    const move = moveHead({ before: head.sequence, ...sealHead(key, sequence, hash) });
    await store.apply({
      context: { actor: "sealer", requestId: null, time: "" },
      steps: [{ ...move, expect: 1 }, ...entries],
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
