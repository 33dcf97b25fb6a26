import { setTimeout as pause } from "node:timers/promises";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import { backoffMs } from "../concurrency/backoff.ts";
import { createKeyedMutex } from "../concurrency/keyed-mutex.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import type { Dependencies } from "../dependencies.ts";
import { type ChangeContext, type Step, VersionConflict } from "../store/store.ts";
import { randomFraction, serverContext } from "../system.ts";
import { createOutboxRows, type OutboxRow, type TopicStats } from "./rows.ts";
import {
  Deferred,
  type NextState,
  type OutboxAttempt,
  type OutboxEntry,
  type OutboxHandler,
  type OutboxHandlers,
  type Readiness,
  type Topic,
} from "./topic.ts";

type TopicName = Pick<Topic<unknown>, "name">;
type NewEntry<Payload> = Omit<OutboxEntry<Payload>, "attempts">;

/**
 * Everything that must happen after a commit. An entry is written in the transaction that requests the work. The
 * request that wrote it, or the dispatcher, performs it; the transaction that records the outcome removes it. After a
 * crash in between, the next dispatcher performs the entry again with the same id.
 */
export interface Outbox {
  /** For a transaction: an entry that the dispatcher performs. */
  add<Payload, Result>(topic: Topic<Payload, Result>, entry: NewEntry<Payload>): Step;
  /**
   * For a transaction whose caller waits: `finish` performs the entry right after the commit, in the caller's context.
   */
  begin<Payload, Result>(
    topic: Topic<Payload, Result>,
    entry: NewEntry<Payload>,
  ): { readonly step: Step; finish(context?: ChangeContext): Promise<Result> };
  /** Pending entries, oldest first. */
  pending<Payload, Result>(topic: Topic<Payload, Result>, key?: string): Promise<OutboxEntry<Payload>[]>;
  /** For a transaction that does the work of an entry itself: fails if the entry no longer exists. */
  complete(id: string): Step;
  /** For a transaction: deletes the pending entries of a key. */
  remove(topic: TopicName, key: string): Step;
  /** For a transaction: makes a dead or pending entry due immediately, in its old position. */
  requeue(id: string, time: string): Step;
  /** For a transaction: deletes dead entries that ended before this time. */
  pruneDead(topic: TopicName, before: string): Step;
  /** Performs the pending entries of a key now, in order. Only if no other server can perform them. */
  flush(topic: TopicName, key: string, context?: ChangeContext): Promise<void>;
  /** Performs the due entries of these topics, or of all topics, and waits for them. */
  runDue(topics?: readonly TopicName[]): Promise<void>;
  /**
   * Shortens waits and claims that are longer than allowed: a clock that was ahead has written times that are too late.
   */
  limitWaits(): Promise<void>;
  /** Wakes the dispatcher: there are new entries. */
  wake(): void;
  start(): void;
  /** Starts no more attempts; gives running attempts a moment, then aborts them. */
  stop(): Promise<void>;
  /** Releases the claims of this server, so that others can take them immediately. */
  close(): Promise<void>;
  stats(): Promise<readonly (TopicStats & { readonly attempts: number; readonly failures: number })[]>;
}

export interface OutboxOptions {
  /** The id of this server process among those that share the database. */
  readonly owner: string;
  /** The handlers by topic. Called when the first entry is performed, so that modules can receive the outbox first. */
  readonly handlers: () => OutboxHandlers;
  /** The dispatcher performs only entries that stay within the data folder. */
  readonly isPaused?: () => boolean;
  readonly log: Pick<Logger, "warn" | "error">;
}

/** How long after the last heartbeat of its owner another server takes over an entry. */
const claimMs = 15_000;
/** The first and the longest backoff after a failed attempt, in seconds. */
const firstPause = 1;
const longestPause = 300;
/** No handler asks for a longer wait, not even for a receiver with `Retry-After`. */
const longestWaitMs = 3_600_000;
/** The number of keys of one topic that are served concurrently. */
const keysAtOnce = 16;
const pageSize = 100;
/** If a failed attempt cannot be recorded, its key pauses: its effect would otherwise be repeated immediately. */
const restMs = 5_000;
/** A changed clock, or a machine that slept, is noticed within this time. */
const longestSleepMs = 60_000;
const stopMs = 3_000;
const conflictTries = 10;

export function createOutbox(
  { store, system }: Pick<Dependencies, "store" | "system">,
  { owner, handlers, isPaused = () => false, log }: OutboxOptions,
): Outbox {
  const rows = createOutboxRows(store);
  const keys = createKeyedMutex();
  const running = new Map<string, Promise<unknown>>();
  const serving = new Map<string, { readonly topic: string; readonly work: Promise<boolean> }>();
  const counters = new Map<string, { attempts: number; failures: number }>();
  const aborted = new AbortController();
  const isAlone = store.engine.exclusive;
  const random = () => randomFraction(system);
  const timeIn = (ms: number) => new Date(system.now().getTime() + ms).toISOString();
  let started = false;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  const rowOf = (topic: string, { id, key, environmentId, payload }: NewEntry<unknown>) => ({
    id,
    topic,
    key,
    environmentId,
    payload: encodeJson(payload),
    time: system.now().toISOString(),
  });

  const handlerOf = (topic: string): OutboxHandler<unknown, unknown> | undefined =>
    handlers()[topic] as OutboxHandler<unknown, unknown> | undefined;

  function counterOf(topic: string) {
    const known = counters.get(topic) ?? { attempts: 0, failures: 0 };
    counters.set(topic, known);
    return known;
  }

  /** One attempt; concurrent calls share it. */
  function run(topic: string, entry: OutboxEntry, context?: ChangeContext): Promise<unknown> {
    const before = running.get(entry.id);
    if (before) return before;
    const renewal = isAlone ? undefined : setInterval(() => void renew(entry.id), claimMs / 3).unref();
    const work = attempt(topic, entry, context).finally(() => {
      clearInterval(renewal);
      running.delete(entry.id);
    });
    running.set(entry.id, work);
    return work;
  }

  const renew = (id: string) =>
    write([rows.renew({ id, owner, until: timeIn(claimMs) })]).catch((error) =>
      log.warn({ err: error, entry: id }, "a claim on an outbox entry was not renewed"),
    );

  const write = (steps: readonly Step[]) =>
    store.apply({ context: serverContext(system), steps, events: [] });

  async function attempt(topic: string, entry: OutboxEntry, context?: ChangeContext): Promise<unknown> {
    const handler = handlerOf(topic);
    if (!handler) throw new Error(`The outbox has no handler for the topic "${topic}".`);
    const counter = counterOf(topic);
    try {
      const attempted = await handler.perform(entry, aborted.signal);
      counter.attempts += 1;
      if (attempted.outcome !== "completed") counter.failures += 1;
      await record(topic, handler, entry, attempted, context);
      return attempted.result;
    } catch (error) {
      if (error instanceof Deferred) {
        await postpone(entry, entry.attempts, timeIn(error.afterMs));
        // The dispatcher may sleep until later than that.
        wake();
        throw error.cause;
      }
      // An attempt that was aborted by the stop of this server does not count.
      if (!aborted.signal.aborted) {
        counter.failures += 1;
        await fail(topic, handler, entry, error);
        wake();
      }
      throw error;
    }
  }

  function nextState(
    { maxAttempts }: OutboxHandler<unknown, unknown>,
    entry: OutboxEntry,
    attempt: OutboxAttempt<unknown>,
  ) {
    const time = system.now().toISOString();
    const attempts = entry.attempts + 1;
    if (attempt.outcome === "completed") {
      return { state: "completed", attempts, nextAt: null, time } as const;
    }
    if (attempt.outcome === "rejected" || attempts >= (maxAttempts ?? Number.POSITIVE_INFINITY)) {
      return { state: "dead", attempts, nextAt: null, time } as const;
    }
    const wait = Math.max(backoffMs(attempts, firstPause, longestPause, random), attempt.retryAfterMs ?? 0);
    return { state: "pending", attempts, nextAt: timeIn(wait), time } as const;
  }

  function stepFor({ id, attempts: read }: OutboxEntry, { state, attempts, nextAt, time }: NextState): Step {
    if (state === "completed") return rows.complete(id);
    if (state === "dead") return rows.bury({ id, read, attempts, time });
    return rows.reschedule({ id, read, attempts, next_at: nextAt ?? time });
  }

  /** One transaction: the handler's records, and the next state of the entry. */
  async function record(
    topic: string,
    handler: OutboxHandler<unknown, unknown>,
    entry: OutboxEntry,
    attempted: OutboxAttempt<unknown>,
    context: ChangeContext | undefined,
  ): Promise<void> {
    const next = nextState(handler, entry, attempted);
    if (next.state === "dead") log.warn({ topic, entry: entry.id }, "an outbox entry became a dead letter");
    for (let n = 1; ; n++) {
      const transaction = await handler.record?.(entry, attempted.result, next);
      try {
        await store.apply({
          context: transaction?.context ?? context ?? serverContext(system),
          steps: [...(transaction?.steps ?? []), stepFor(entry, next)],
          events: transaction?.events ?? [],
        });
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        // Another server, or a newer transaction, has already handled the entry.
        if ((await rows.attempts(entry.id)) !== entry.attempts) return;
        if (n >= conflictTries) throw error;
        continue;
      }
      await transaction?.committed?.();
      return;
    }
  }

  async function fail(
    topic: string,
    handler: OutboxHandler<unknown, unknown>,
    entry: OutboxEntry,
    error: unknown,
  ) {
    const next = nextState(handler, entry, { outcome: "failed", result: undefined });
    const about = { err: error, topic, entry: entry.id, attempts: next.attempts };
    log.warn(
      about,
      next.state === "dead" ? "an outbox entry became a dead letter" : "an outbox entry will be retried",
    );
    try {
      await write([stepFor(entry, next)]);
      const shown = next.state === "pending" && (await handler.waiting?.(entry, error));
      if (shown) await store.apply({ context: serverContext(system), ...shown });
    } catch (failure) {
      if (failure instanceof VersionConflict) return;
      log.error({ err: failure, entry: entry.id }, "an attempt at an outbox entry was not recorded");
      await pause(restMs, undefined, { signal: aborted.signal, ref: false }).catch(() => {});
    }
  }

  const postpone = ({ id }: OutboxEntry, attempts: number, next_at: string) =>
    write([rows.reschedule({ id, read: attempts, attempts, next_at })]).catch((error) => {
      if (!(error instanceof VersionConflict)) log.warn({ err: error }, "an outbox entry was not postponed");
    });

  /**
   * Whether this server may perform the entry now. On PostgreSQL the claim is written to the row; with SQLite there is
   * no other server.
   */
  async function claim(row: OutboxRow, readiness: Readiness): Promise<boolean> {
    if (readiness === "elsewhere" || running.has(row.id)) return false;
    const now = system.now().toISOString();
    const isClaimed = row.owner !== null && (row.claimed_until ?? "") > now;
    if (isClaimed && row.owner === owner) return false;
    if (isAlone) return true;
    if (isClaimed && readiness !== "here") return false;
    const from = readiness === "here" ? "~" : now;
    try {
      await write([rows.claim({ id: row.id, owner, until: timeIn(claimMs), now: from })]);
      return true;
    } catch (error) {
      if (error instanceof VersionConflict) return false;
      throw error;
    }
  }

  /** Performs the due entries of one key, in order. Returns whether it performed any. */
  async function serve(key: string): Promise<boolean> {
    let performed = false;
    while (!stopping) {
      const row = await rows.first(key);
      if (!row || (row.next_at ?? "~") > system.now().toISOString()) break;
      const entry = entryOf(row);
      const handler = handlerOf(row.topic);
      if (isPaused() && !handler?.isLocal) break;
      const readiness = handler ? ((await handler.readiness?.(entry)) ?? "any") : "elsewhere";
      if (!(await claim(row, readiness))) break;
      performed = true;
      // The attempt has logged and recorded the error.
      await run(row.topic, entry).catch(() => {});
    }
    return performed;
  }

  function begin(topic: string, key: string): boolean {
    if (serving.has(key)) return false;
    if ([...serving.values()].filter((one) => one.topic === topic).length >= keysAtOnce) return false;
    const work = keys
      .run(key, () => serve(key))
      .catch((error) => {
        log.error({ err: error, topic }, "the outbox could not read its entries");
        return false;
      })
      .then((performed) => {
        serving.delete(key);
        // Another key may have waited for a free slot.
        if (performed) wake();
        return performed;
      });
    serving.set(key, { topic, work });
    return true;
  }

  /** Starts entries that are due at this time. */
  async function startDue(now: string, topics?: readonly string[]): Promise<void> {
    for (let after = 0; !stopping; ) {
      const page = await rows.due(now, after, pageSize);
      for (const { topic, key } of page) {
        if (handlerOf(topic) && (topics?.includes(topic) ?? true)) begin(topic, key);
      }
      const last = page.at(-1);
      if (page.length < pageSize || !last) return;
      after = last.sequence;
    }
  }

  const round = singleFlight(async () => {
    if (!started || stopping) return;
    clearTimeout(timer);
    let sleepMs = restMs;
    try {
      // The same time for both queries: an entry that becomes due in between must not be missed.
      const now = system.now().toISOString();
      await startDue(now);
      const next = await rows.nextAfter(now);
      sleepMs = next === undefined ? longestSleepMs : Date.parse(next) - system.now().getTime();
    } catch (error) {
      log.error({ err: error }, "the outbox could not read its entries");
    }
    if (!stopping) timer = setTimeout(wake, Math.min(longestSleepMs, Math.max(1, sleepMs))).unref();
  });

  function wake(): void {
    if (started && !stopping) void round();
  }

  return {
    add: ({ name }, entry) => rows.insert(rowOf(name, entry)),
    begin<Payload, Result>({ name }: Topic<Payload, Result>, entry: NewEntry<Payload>) {
      const claim = { owner, until: timeIn(claimMs) };
      return {
        step: rows.insert({ ...rowOf(name, entry), claim }),
        finish: (context?: ChangeContext) => run(name, { ...entry, attempts: 0 }, context) as Promise<Result>,
      };
    },
    pending: async <Payload, Result>({ name }: Topic<Payload, Result>, key?: string) =>
      (await rows.pending(name, key)).map((row) => entryOf(row) as OutboxEntry<Payload>),
    complete: rows.complete,
    remove: ({ name }, key) => rows.removeKey(name, key),
    requeue: rows.requeue,
    pruneDead: ({ name }, before) => rows.pruneDead(name, before),
    flush: ({ name }, key, context) =>
      keys.run(key, async () => {
        for (const row of await rows.pending(name, key)) await run(name, entryOf(row), context);
      }),
    async runDue(topics) {
      const names = topics?.map(({ name }) => name);
      for (;;) {
        await startDue(system.now().toISOString(), names);
        const mine = [...serving.values()].filter(({ topic }) => names?.includes(topic) ?? true);
        const performed = await Promise.all(mine.map(({ work }) => work));
        if (!performed.includes(true)) return;
      }
    },
    async limitWaits() {
      const now = system.now().toISOString();
      await write(rows.limit({ now, next_at: timeIn(longestWaitMs), claimed_until: timeIn(4 * claimMs) }));
      wake();
    },
    wake,
    start() {
      started = true;
      wake();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const idle = Promise.all([...serving.values()].map(({ work }) => work));
      await Promise.race([idle, pause(stopMs, undefined, { ref: false })]);
      aborted.abort(new Error("This server is stopping."));
      await Promise.race([idle, pause(stopMs, undefined, { ref: false })]);
    },
    async close() {
      // An unreachable database must not prevent the server from stopping: the claims then expire.
      await write([rows.releaseAll({ owner })]).catch((error) =>
        log.warn({ err: error }, "claims on outbox entries were not released"),
      );
    },
    async stats() {
      const found = new Map((await rows.stats()).map((one) => [one.topic, one]));
      return [...new Set([...Object.keys(handlers()), ...found.keys(), ...counters.keys()])]
        .sort()
        .map((topic) => ({
          ...(found.get(topic) ?? { topic, pending: 0, dead: 0, oldest: null }),
          ...(counters.get(topic) ?? { attempts: 0, failures: 0 }),
        }));
    },
  };
}

const entryOf = (row: OutboxRow): OutboxEntry => ({
  id: row.id,
  key: row.key,
  environmentId: row.environment_id,
  payload: JSON.parse(row.payload),
  attempts: row.attempts,
});
