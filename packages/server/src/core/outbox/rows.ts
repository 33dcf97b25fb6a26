import { sql } from "kysely";
import type { Step, Store } from "../store/store.ts";

export interface OutboxRow {
  readonly sequence: number;
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly environment_id: string | null;
  readonly payload: string;
  readonly attempts: number;
  /** Null once the entry is dead. */
  readonly next_at: string | null;
  readonly owner: string | null;
  readonly claimed_until: string | null;
}

export interface NewOutboxRow {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly environmentId: string | null;
  readonly payload: string;
  readonly time: string;
  /** The server that performs the entry right after the commit, and until when other servers must not take it. */
  readonly claim?: { readonly owner: string; readonly until: string };
}

export interface TopicStats {
  readonly topic: string;
  readonly pending: number;
  readonly dead: number;
  /** When the oldest pending entry was added. */
  readonly oldest: string | null;
}

const columns = [
  "sequence",
  "id",
  "topic",
  "key",
  "environment_id",
  "payload",
  "attempts",
  "next_at",
  "owner",
  "claimed_until",
] as const;

/** Entries of one key run in order: only the oldest pending one can be due. */
const isFirst = sql<boolean>`not exists (
  select 1 from outbox as earlier
  where earlier.key = outbox.key and earlier.state = 'pending' and earlier.sequence < outbox.sequence
)`;

/** The statements over the table `outbox`. */
export function createOutboxRows(store: Store) {
  type NewRow = {
    id: string;
    topic: string;
    key: string;
    environment_id: string | null;
    payload: string;
    time: string;
    owner: string | null;
    claimed_until: string | null;
  };
  const insert = store.prepare((db, v: NewRow) =>
    db.insertInto("outbox").values({
      id: v.id,
      topic: v.topic,
      key: v.key,
      environment_id: v.environment_id,
      payload: v.payload,
      state: "pending",
      attempts: 0,
      next_at: v.time,
      created_at: v.time,
      ended_at: null,
      owner: v.owner,
      claimed_until: v.claimed_until,
    }),
  );
  const due = store.prepare((db, v: { now: string; after: number; limit: number }) =>
    db
      .selectFrom("outbox")
      .select(columns)
      .where("next_at", "<=", v.now)
      .where("sequence", ">", v.after)
      .where(isFirst)
      .orderBy("sequence")
      .limit(v.limit),
  );
  const nextAfter = store.prepare((db, v: { now: string }) =>
    db
      .selectFrom("outbox")
      .select("next_at")
      .where("next_at", ">", v.now)
      .where(isFirst)
      .orderBy("next_at")
      .limit(1),
  );
  const first = store.prepare((db, v: { key: string }) =>
    db
      .selectFrom("outbox")
      .select(columns)
      .where("key", "=", v.key)
      .where("state", "=", "pending")
      .orderBy("sequence")
      .limit(1),
  );
  const ofKey = store.prepare((db, v: { topic: string; key: string }) =>
    db
      .selectFrom("outbox")
      .select(columns)
      .where("topic", "=", v.topic)
      .where("key", "=", v.key)
      .where("state", "=", "pending")
      .orderBy("sequence"),
  );
  const ofTopic = store.prepare((db, v: { topic: string }) =>
    db
      .selectFrom("outbox")
      .select(columns)
      .where("topic", "=", v.topic)
      .where("state", "=", "pending")
      .orderBy("sequence"),
  );
  const attemptsOf = store.prepare((db, v: { id: string }) =>
    db.selectFrom("outbox").select("attempts").where("id", "=", v.id).where("state", "=", "pending"),
  );
  type Claim = { id: string; owner: string; until: string; now: string };
  const claim = store.prepare((db, v: Claim) =>
    db
      .updateTable("outbox")
      .set({ owner: v.owner, claimed_until: v.until })
      .where("id", "=", v.id)
      .where("state", "=", "pending")
      .where((eb) =>
        eb.or([eb("owner", "is", null), eb("owner", "=", v.owner), eb("claimed_until", "<=", v.now)]),
      ),
  );
  const renew = store.prepare((db, v: { id: string; owner: string; until: string }) =>
    db
      .updateTable("outbox")
      .set({ claimed_until: v.until })
      .where("id", "=", v.id)
      .where("owner", "=", v.owner),
  );
  const releaseAll = store.prepare((db, v: { owner: string }) =>
    db.updateTable("outbox").set({ owner: null, claimed_until: null }).where("owner", "=", v.owner),
  );
  type Rescheduled = { id: string; read: number; attempts: number; next_at: string };
  const reschedule = store.prepare((db, v: Rescheduled) =>
    db
      .updateTable("outbox")
      .set({ attempts: v.attempts, next_at: v.next_at, owner: null, claimed_until: null })
      .where("id", "=", v.id)
      .where("state", "=", "pending")
      .where("attempts", "=", v.read),
  );
  type Latest = { now: string; next_at: string; claimed_until: string };
  const advance = store.prepare((db, v: Latest) =>
    db.updateTable("outbox").set({ next_at: v.now }).where("next_at", ">", v.next_at),
  );
  const releaseLater = store.prepare((db, v: Latest) =>
    db
      .updateTable("outbox")
      .set({ owner: null, claimed_until: null })
      .where("claimed_until", ">", v.claimed_until),
  );
  const bury = store.prepare((db, v: { id: string; read: number; attempts: number; time: string }) =>
    db
      .updateTable("outbox")
      .set({
        state: "dead",
        attempts: v.attempts,
        next_at: null,
        ended_at: v.time,
        owner: null,
        claimed_until: null,
      })
      .where("id", "=", v.id)
      .where("state", "=", "pending")
      .where("attempts", "=", v.read),
  );
  const complete = store.prepare((db, v: { id: string }) =>
    db.deleteFrom("outbox").where("id", "=", v.id).where("state", "=", "pending"),
  );
  const requeue = store.prepare((db, v: { id: string; time: string }) =>
    db
      .updateTable("outbox")
      .set({
        state: "pending",
        attempts: 0,
        next_at: v.time,
        ended_at: null,
        owner: null,
        claimed_until: null,
      })
      .where("id", "=", v.id),
  );
  const removeKey = store.prepare((db, v: { topic: string; key: string }) =>
    db
      .deleteFrom("outbox")
      .where("topic", "=", v.topic)
      .where("key", "=", v.key)
      .where("state", "=", "pending"),
  );
  const pruneDead = store.prepare((db, v: { topic: string; before: string }) =>
    db
      .deleteFrom("outbox")
      .where("topic", "=", v.topic)
      .where("state", "=", "dead")
      .where("ended_at", "<", v.before),
  );
  const stats = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("outbox")
      .select((eb) => [
        "topic",
        "state",
        eb.fn.countAll<number>().as("n"),
        eb.fn.min("created_at").as("oldest"),
      ])
      .groupBy(["topic", "state"])
      .orderBy("topic"),
  );

  return {
    insert: ({ id, topic, key, environmentId, payload, time, claim }: NewOutboxRow): Step =>
      insert({
        id,
        topic,
        key,
        environment_id: environmentId,
        payload,
        time,
        owner: claim?.owner ?? null,
        claimed_until: claim?.until ?? null,
      }),
    /** The oldest entries of their keys that are due, in pages by sequence. */
    due: (now: string, after: number, limit: number): Promise<OutboxRow[]> =>
      store.all(due({ now, after, limit })),
    nextAfter: async (now: string) => (await store.one(nextAfter({ now })))?.next_at ?? undefined,
    first: (key: string): Promise<OutboxRow | undefined> => store.one(first({ key })),
    pending: (topic: string, key?: string): Promise<OutboxRow[]> =>
      key === undefined ? store.all(ofTopic({ topic })) : store.all(ofKey({ topic, key })),
    /** Undefined once the entry is completed or dead. */
    attempts: async (id: string) => (await store.one(attemptsOf({ id })))?.attempts,
    /** Fails while another server's claim is valid. With "~" as `now`, takes the entry from any server. */
    claim: (values: Claim): Step => ({ ...claim(values), expect: 1 }),
    renew,
    /** Makes entries due that wait until after `next_at`, and releases claims that last until after `claimed_until`. */
    limit: (latest: Latest): Step[] => [advance(latest), releaseLater(latest)],
    releaseAll,
    reschedule: (values: Rescheduled): Step => ({ ...reschedule(values), expect: 1 }),
    bury: (values: { id: string; read: number; attempts: number; time: string }): Step => ({
      ...bury(values),
      expect: 1,
    }),
    complete: (id: string): Step => ({ ...complete({ id }), expect: 1 }),
    requeue: (id: string, time: string): Step => ({ ...requeue({ id, time }), expect: 1 }),
    removeKey: (topic: string, key: string): Step => removeKey({ topic, key }),
    pruneDead: (topic: string, before: string): Step => pruneDead({ topic, before }),
    async stats(): Promise<TopicStats[]> {
      const found = new Map<string, TopicStats>();
      for (const { topic, state, n, oldest } of await store.all(stats({}))) {
        const known = found.get(topic) ?? { topic, pending: 0, dead: 0, oldest: null };
        found.set(
          topic,
          state === "dead" ? { ...known, dead: Number(n) } : { ...known, pending: Number(n), oldest },
        );
      }
      return [...found.values()];
    },
  };
}
