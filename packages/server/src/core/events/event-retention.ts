import type { Logger } from "pino";
import { daysBefore, maxBatchCharacters, maxBatchRows, type RetainedBatch } from "../retention/batch.ts";
import type { RetentionSource } from "../retention/retention.ts";
import type { Store } from "../store/store.ts";
import { serverContext } from "../system.ts";
import { type EventKey, link } from "./chain.ts";
import { eventText } from "./event-text.ts";
import { acknowledgedKind, problemKind } from "./problem.ts";
import type { LogStart } from "./start.ts";
import type { SealedEvent } from "./verification.ts";

export interface EventRetentionOptions {
  /** 0: forever. Undefined: the default, which is announced before it removes the first event. */
  readonly keptDays: number | undefined;
  /** Whether removed events are in the archive. Without an archive, the default is to keep all events. */
  readonly isArchived: boolean;
  readonly log: Pick<Logger, "warn">;
  /** The position up to which the server itself has read the log. */
  readonly readThrough: () => Promise<number>;
}

interface EventRetentionLog {
  readonly key: EventKey;
  readonly start: LogStart;
  seal(): Promise<void>;
  readAfter(sequence: number, limit: number): Promise<SealedEvent[]>;
}

const defaultKeptDays = 90;
/**
 * A server that kept all events until now announces the removal this long before the first events leave the database.
 */
const noticeDays = 7;
const announcedKind = "retention.announced";

/** The number of events that are checked without yielding to other work. */
const pageSize = 200;

/**
 * Removes the oldest events. It stops at an event that was tampered with, and before a problem that no admin has
 * acknowledged: both stay where `verify` finds them.
 */
export function createEventRetention(
  store: Store,
  { key, start, seal, readAfter }: EventRetentionLog,
  { keptDays: chosenDays, isArchived, readThrough, log }: EventRetentionOptions,
): RetentionSource {
  const keptDays = chosenDays ?? (isArchived ? defaultKeptDays : 0);
  const lastOfKind = store.prepare((db, v: { kind: string }) =>
    db
      .selectFrom("events")
      .select("sequence")
      .where("kind", "=", v.kind)
      .orderBy("sequence", "desc")
      .limit(1),
  );
  const hashOf = store.prepare((db, v: { sequence: number }) =>
    db.selectFrom("events").select("hash").where("sequence", "=", v.sequence),
  );

  async function begin() {
    const found = await start.read();
    if (!found) throw new Error("The beginning of the event log was changed or removed.");
    return found;
  }

  const timeOfKind = store.prepare((db, v: { kind: string }) =>
    db.selectFrom("events").select("body").where("kind", "=", v.kind).orderBy("sequence", "desc").limit(1),
  );

  /** If no retention period is configured, events leave the database only a week after the announcement. */
  async function isAnnounced(now: Date): Promise<boolean> {
    const announced = await store.one(timeOfKind({ kind: announcedKind }));
    if (announced) return timeOf(announced.body) <= daysBefore(now, noticeDays);
    const data = { records: "events", kept_days: keptDays, from: daysBefore(now, -noticeDays) };
    log.warn(
      data,
      `events that are older than ${keptDays} days move to the archive in ${noticeDays} days. Set PLATFORM_EVENTS_KEPT_DAYS=0 to keep them in the database, or another number`,
    );
    await store.apply({
      context: serverContext(now),
      steps: [],
      events: [{ kind: announcedKind, subject: "retention/events", data }],
    });
    return false;
  }

  return {
    kind: "events",
    async next(now): Promise<RetainedBatch | undefined> {
      if (keptDays === 0) return undefined;
      // After sealing, no pending event is older than the events that are removed.
      await seal();
      const cutoff = daysBefore(now, keptDays);
      const end = await readThrough();
      const acknowledged = (await store.one(lastOfKind({ kind: acknowledgedKind })))?.sequence ?? 0;
      const { sequence: before, hash: previous, time } = await begin();
      const lines: string[] = [];
      let characters = 0;
      let [at, hash] = [before, previous];
      const isDue = ({ sequence, kind, body }: SealedEvent) =>
        sequence <= end &&
        lines.length < maxBatchRows &&
        characters < maxBatchCharacters &&
        (kind !== problemKind || sequence < acknowledged) &&
        timeOf(body) < cutoff;
      // Times need not be in the order of sequences.
      let latest = time;
      for (let isMore = true; isMore; ) {
        const page = await readAfter(at, pageSize);
        for (const event of page) {
          if (event.sequence !== at + 1 || link(key, hash, event.sequence, event.body) !== event.hash)
            throw new Error(
              `Event ${at + 1} was changed or removed. GET /api/v1/events/verify has the details.`,
            );
          isMore = isDue(event);
          if (!isMore) break;
          [at, hash] = [event.sequence, event.hash];
          const own = timeOf(event.body);
          if (own > latest) latest = own;
          const text = eventText(event);
          characters += text.length;
          lines.push(text);
        }
        isMore &&= page.length === pageSize;
        await new Promise((next) => setImmediate(next));
      }
      if (lines.length === 0) return undefined;
      if (chosenDays === undefined && before === 0 && !(await isAnnounced(now))) return undefined;
      const chain = { previous, hash, time: latest };
      return { first: before + 1, last: at, count: lines.length, chain, lines };
    },
    async isStored({ first, last, chain }) {
      const { sequence } = await begin();
      if (first !== sequence + 1) return false;
      return (await store.one(hashOf({ sequence: Number(last) })))?.hash === chain?.hash;
    },
    removal({ first, last, chain }) {
      if (!chain) throw new Error("Events are removed only with their hashes.");
      const { hash, time } = chain;
      return start.remove(Number(first), { sequence: Number(last), hash, time });
    },
  };
}

const timeOf = (text: string): string => (JSON.parse(text) as { time: string }).time;
