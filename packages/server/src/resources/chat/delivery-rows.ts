import type { Delivery } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { topic } from "../../core/outbox/topic.ts";
import type { HistoryStart } from "../../core/store/history-page.ts";
import { type ListParameters, listParameters, listSlots } from "../../core/store/list-parameters.ts";
import type { Step, Store } from "../../core/store/store.ts";
import type { ChannelMessage } from "./message.ts";

/** The channel of mails, which all go to one receiver; every other channel is the id of a binding. */
export const mailChannel = "mail";

/** A message to send. */
export interface NewDelivery {
  readonly channel: string;
  readonly environmentId: string;
  readonly message: ChannelMessage;
}

/** The response to an attempt. */
interface AttemptResponse {
  readonly status: number | null;
  readonly error: string | null;
}

/** The result of one request to a channel. */
export interface SendResult extends AttemptResponse {
  /** `refused`: a permanent error. */
  readonly outcome: "delivered" | "failed" | "refused";
  readonly retryAfter?: string;
}

export interface StoredDelivery extends NewDelivery {
  readonly sequence: number;
  readonly state: Delivery["state"];
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly endedAt: string | null;
  readonly answer: AttemptResponse | null;
}

export interface DeliveryFilter {
  readonly state?: Delivery["state"] | undefined;
  readonly binding?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly environmentIds?: readonly string[] | undefined;
}

export interface DeliveryRows {
  insert(delivery: NewDelivery, now: string): Step[];
  get(id: string): Promise<StoredDelivery | undefined>;
  page(filter: DeliveryFilter, start: HistoryStart, limit: number): Promise<StoredDelivery[]>;
  /** Records an attempt at a waiting delivery, unless another attempt was recorded since it was read. */
  record(read: StoredDelivery, next: DeliveryUpdate): Step;
  /** Puts a delivery back into the queue, due immediately. */
  putBack(id: string, now: string): Step[];
  dropWaiting(channel: string): Step[];
  /** Deliveries that ended in `state` before this time, the oldest first. */
  endedBefore(state: "delivered" | "dead", before: string, limit: number): Promise<string[]>;
  /** The oldest delivered messages of a channel that has more than `kept` of them. */
  surplus(kept: number, limit: number): Promise<string[]>;
  /** Deletes a delivery that ended at this time, unless it was put back. */
  remove(id: string, endedAt: string): Step;
  /** Deletes the outbox entries of deliveries that are dead since before this time. */
  forgetDead(before: string): Step;
}

type DeliveryUpdate = Pick<StoredDelivery, "state" | "nextAt" | "endedAt" | "answer">;

const columns = [
  "sequence",
  "id",
  "channel",
  "environment_id",
  "state",
  "attempts",
  "next_at",
  "ended_at",
  "doc",
  "answer",
] as const;

/** The delivery and its result; undefined if the delivery no longer exists. */
export type SentDelivery = { readonly delivery: StoredDelivery; readonly sent: SendResult } | undefined;
/** Each waiting or dead delivery has an outbox entry with its id, which sends it. */
export type DeliveryEntry = Readonly<Record<string, never>>;
export const deliveryTopic = topic<DeliveryEntry, SentDelivery>("chat.delivery");
/** Messages to one channel are sent sequentially. */
const mutexKey = (channel: string) => `chat/${channel}`;

export function createDeliveryRows(
  store: Store,
  outbox: Pick<Outbox, "add" | "requeue" | "remove" | "pruneDead">,
): DeliveryRows {
  type Fresh = { id: string; channel: string; environment_id: string; next_at: string; doc: string };
  const insert = store.prepare((db, v: Fresh) =>
    db.insertInto("deliveries").values({
      id: v.id,
      channel: v.channel,
      environment_id: v.environment_id,
      state: "waiting",
      attempts: 0,
      next_at: v.next_at,
      doc: v.doc,
    }),
  );
  const byId = store.prepare((db, v: { id: string }) =>
    db.selectFrom("deliveries").select(columns).where("id", "=", v.id),
  );
  type Filter = {
    state: string;
    channel: string;
    environment: string;
    after: number;
    limit: number;
  } & ListParameters;
  /** An empty text disables a filter; `size` is the length of the list of environments, 0 without a list. */
  const page = (size: number, oldestFirst: boolean) =>
    store.prepare((db, v: Filter) => {
      const query = db
        .selectFrom("deliveries")
        .select(columns)
        .where("sequence", oldestFirst ? ">" : "<", v.after)
        .where((eb) =>
          eb.or([eb(eb.cast<string>(eb.val(v.state), "text"), "=", ""), eb("state", "=", v.state)]),
        )
        .where((eb) =>
          eb.or([eb(eb.cast<string>(eb.val(v.channel), "text"), "=", ""), eb("channel", "=", v.channel)]),
        )
        .where((eb) =>
          eb.or([
            eb(eb.cast<string>(eb.val(v.environment), "text"), "=", ""),
            eb("environment_id", "=", v.environment),
          ]),
        )
        .orderBy("sequence", oldestFirst ? "asc" : "desc")
        .limit(v.limit);
      return size === 0 ? query : query.where("environment_id", "in", listSlots(v, size));
    });
  const pages = new Map<string, ReturnType<typeof page>>();
  type Ended = { state: string; next_at: string | null; ended_at: string | null; answer: string };
  const record = store.prepare((db, v: Ended & { id: string; attempts: number }) =>
    db
      .updateTable("deliveries")
      .set((eb) => ({
        state: v.state,
        attempts: eb("attempts", "+", 1),
        next_at: v.next_at,
        ended_at: v.ended_at,
        answer: v.answer,
      }))
      .where("id", "=", v.id)
      .where("state", "=", "waiting")
      .where("attempts", "=", v.attempts),
  );
  const putBack = store.prepare((db, v: { id: string; now: string }) =>
    db
      .updateTable("deliveries")
      .set({ state: "waiting", attempts: 0, next_at: v.now, ended_at: null })
      .where("id", "=", v.id)
      .where("state", "!=", "delivered"),
  );
  const dropWaiting = store.prepare((db, v: { channel: string }) =>
    db.deleteFrom("deliveries").where("channel", "=", v.channel).where("state", "=", "waiting"),
  );
  const endedBefore = store.prepare((db, v: { state: string; before: string; limit: number }) =>
    db
      .selectFrom("deliveries")
      .select("id")
      .where("ended_at", "<", v.before)
      .where("state", "=", v.state)
      .orderBy("ended_at")
      .limit(v.limit),
  );
  const fullChannel = store.prepare((db, v: { kept: number }) =>
    db
      .selectFrom("deliveries")
      .select((eb) => ["channel", eb.fn.countAll<number>().as("n")])
      .where("state", "=", "delivered")
      .groupBy("channel")
      .having((eb) => eb(eb.fn.countAll(), ">", v.kept))
      .limit(1),
  );
  const oldestOf = store.prepare((db, v: { channel: string; limit: number }) =>
    db
      .selectFrom("deliveries")
      .select("id")
      .where("channel", "=", v.channel)
      .where("state", "=", "delivered")
      .orderBy("sequence")
      .limit(v.limit),
  );
  const remove = store.prepare((db, v: { id: string; ended_at: string }) =>
    db.deleteFrom("deliveries").where("id", "=", v.id).where("ended_at", "=", v.ended_at),
  );

  return {
    insert: ({ channel, environmentId, message: { id }, message }, now) => [
      insert({ id, channel, environment_id: environmentId, next_at: now, doc: encodeJson(message) }),
      outbox.add(deliveryTopic, { id, key: mutexKey(channel), environmentId, payload: {} }),
    ],
    async get(id) {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      return row && readRow(row);
    },
    async page(
      { state = "", binding = "", environmentId = "", environmentIds },
      { after, oldestFirst },
      limit,
    ) {
      if (environmentIds?.length === 0) return [];
      const some = environmentIds && listParameters(environmentIds);
      const start = after?.position ?? (oldestFirst ? -1 : Number.MAX_SAFE_INTEGER);
      const filter = { state, channel: binding, environment: environmentId, after: start, limit };
      const size = some?.size ?? 0;
      const query = pages.getOrInsertComputed(`${size} ${oldestFirst}`, () => page(size, oldestFirst));
      return (await store.all(query({ ...filter, ...some?.parameters }))).map(readRow);
    },
    record({ message, attempts }, { state, nextAt, endedAt, answer }) {
      const ended = { state, next_at: nextAt, ended_at: endedAt, answer: encodeJson(answer) };
      return { ...record({ ...ended, id: message.id, attempts }), expect: 1 };
    },
    putBack: (id, now) => [{ ...putBack({ id, now }), expect: 1 }, outbox.requeue(id, now)],
    dropWaiting: (channel) => [dropWaiting({ channel }), outbox.remove(deliveryTopic, mutexKey(channel))],
    endedBefore: async (state, before, limit) =>
      (await store.all(endedBefore({ state, before, limit }))).map(({ id }) => id),
    async surplus(kept, limit) {
      const full = await store.one(fullChannel({ kept }));
      if (!full) return [];
      const found = await store.all(
        oldestOf({ channel: full.channel, limit: Math.min(limit, Number(full.n) - kept) }),
      );
      return found.map(({ id }) => id);
    },
    remove: (id, endedAt) => ({ ...remove({ id, ended_at: endedAt }), expect: 1 }),
    forgetDead: (before) => outbox.pruneDead(deliveryTopic, before),
  };
}

interface DeliveryRow {
  readonly sequence: number;
  readonly channel: string;
  readonly environment_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly ended_at: string | null;
  readonly doc: string;
  readonly answer: string | null;
}

const readRow = (row: DeliveryRow): StoredDelivery => ({
  sequence: row.sequence,
  channel: row.channel,
  environmentId: row.environment_id,
  state: row.state as Delivery["state"],
  attempts: row.attempts,
  nextAt: row.next_at,
  endedAt: row.ended_at,
  message: JSON.parse(row.doc) as ChannelMessage,
  answer: row.answer === null ? null : (JSON.parse(row.answer) as AttemptResponse),
});
