import { sql } from "kysely";
import type { SqlValue } from "../store/database.ts";
import { type ChangeContext, type EventRow, type Step, type Store, VersionConflict } from "../store/store.ts";
import { unrecorded } from "../system.ts";
import { type EventKey, isSigned, link, sealHead, type UnsealedEvents } from "./chain.ts";
import type { LogHead } from "./head.ts";
import { type LogProblem, problemEvent } from "./problem.ts";
import type { LogStart } from "./start.ts";

/** Events per batch; larger batches only delay readers. */
const batch = 100;

/** Events per statement, largest first: one statement per event costs three times as much. */
const sizes = [25, 5, 1] as const;

/** How many rejected events one event of the log names, and the length to which their fields are cut. */
const named = 10;
const nameLength = 200;

type PendingEvent = EventRow & { readonly arrival: number };

/** Why a row of `pending_events` is not sealed. */
type Rejection = "unsigned" | "changed" | "duplicate";

interface RejectedEvent {
  readonly row: PendingEvent;
  readonly why: Rejection;
}

/** A pending event with its sequence and hash. */
interface EventSeal {
  readonly id: string;
  readonly arrival: number;
  readonly sequence: number;
  readonly hash: string;
}

export interface Sealer {
  /** Seals all committed events; resolves when none is pending. */
  seal(): Promise<void>;
}

export interface SealerOptions {
  readonly key: EventKey;
  readonly head: LogHead;
  readonly start: Pick<LogStart, "read">;
  readonly unsealed: UnsealedEvents;
  readonly context: () => ChangeContext;
  readonly report: (problem: LogProblem, isRecorded: boolean) => void;
}

/**
 * Assigns sequences to committed events and chains their hashes. Writers insert into `pending_events` and never wait for
 * each other. Any server may seal; the update of the head row is an optimistic lock: the server that loses reads again.
 */
export function createSealer(
  store: Store,
  { key, head: logHead, start, unsealed, context, report }: SealerOptions,
): Sealer {
  const readPending = store.prepare((db, v: { limit: number }) =>
    db.selectFrom("pending_events").selectAll().orderBy("arrival").limit(v.limit),
  );
  /** Which of these events are sealed. SQLite searches by subject, PostgreSQL has an index of ids. */
  const findSealed = store.prepare((db, v: Record<`${"id" | "subject"}${number}`, string>) => {
    const slots = Array.from({ length: sizes[0] }, (_, n) => n);
    return db
      .selectFrom("events")
      .select("id")
      .where(
        "id",
        "in",
        slots.map((n) => v[`id${n}`] as string),
      )
      .where(
        "subject",
        "in",
        slots.map((n) => v[`subject${n}`] as string),
      );
  });
  const quarantine = store.prepare((db, v: { arrival: number; reason: string; time: string }) =>
    db
      .insertInto("rejected_events")
      .columns(["arrival", "id", "kind", "subject", "body", "mac", "reason", "rejected_at"])
      .expression(
        db
          .selectFrom("pending_events")
          .select(["arrival", "id", "kind", "subject", "body", "mac"])
          .select([
            sql<string>`cast(${v.reason} as text)`.as("reason"),
            sql<string>`cast(${v.time} as text)`.as("rejected_at"),
          ])
          .where("arrival", "=", v.arrival),
      ),
  );
  const writeAgain = store.prepare((db, v: Record<keyof EventRow, string>) =>
    db
      .insertInto("pending_events")
      .values({ id: v.id, kind: v.kind, subject: v.subject, body: v.body, mac: v.mac }),
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
  const clearOne = clear(1);
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

  async function sealedIds(rows: readonly EventRow[]): Promise<Set<string>> {
    const found = new Set<string>();
    const size = sizes[0];
    for (let at = 0; at < rows.length; at += size) {
      const some = Array.from(
        { length: size },
        (_, n) => rows[Math.min(at + n, rows.length - 1)] as EventRow,
      );
      const values = some.flatMap(({ id, subject }, n) => [
        [`id${n}`, id],
        [`subject${n}`, subject],
      ]);
      for (const { id } of await store.all(findSealed(Object.fromEntries(values)))) found.add(id);
    }
    return found;
  }

  /**
   * The ids of events that may be copies of events removed by retention: those that are not later than the last removed
   * event.
   */
  async function removedIds(rows: readonly EventRow[]): Promise<string[]> {
    const time = rows.length > 0 ? (await start.read())?.time : undefined;
    if (!time) return [];
    return rows.flatMap(({ id, body }) => ((JSON.parse(body) as { time: string }).time <= time ? [id] : []));
  }

  /** Whether Lakehelm wrote this row. */
  function rejectionOf(row: PendingEvent): Rejection | undefined {
    if (row.mac === null) return "unsigned";
    if (!isSigned(key, row.body, row.mac)) return "changed";
    const event = JSON.parse(row.body) as EventRow;
    return event.id === row.id && event.kind === row.kind && event.subject === row.subject
      ? undefined
      : "changed";
  }

  /**
   * A row that this server has just written needs no check of its MAC and, with a single server, no search for an
   * earlier copy.
   */
  async function inspect(pending: readonly PendingEvent[]) {
    const genuine = new Map<string, PendingEvent>();
    const rejected: RejectedEvent[] = [];
    const searched: PendingEvent[] = [];
    for (const row of pending) {
      const isOurs = unsealed.has(row);
      const why = isOurs ? undefined : rejectionOf(row);
      if (why) rejected.push({ row, why });
      else if (genuine.has(row.id)) rejected.push({ row, why: "duplicate" });
      else {
        genuine.set(row.id, row);
        if (!isOurs || !store.engine.exclusive) searched.push(row);
      }
    }
    const ids = new Set(genuine.keys());
    for (const id of [...(await sealedIds(searched)), ...(await removedIds(searched))]) {
      const row = genuine.get(id);
      if (!row) continue;
      rejected.push({ row, why: "duplicate" });
      genuine.delete(id);
    }
    return { genuine: [...genuine.values()], rejected, ids };
  }

  /** Moves rows that Lakehelm did not write into quarantine, with an event about them in the same transaction. */
  async function reject(rows: readonly RejectedEvent[]): Promise<void> {
    const by = context();
    const short = (text: string) => text.slice(0, nameLength);
    const one = rows.length === 1;
    const problem: LogProblem = {
      reason: "pending_forged",
      problem: `${rows.length} pending ${one ? "event was" : "events were"} rejected: Lakehelm did not write ${one ? "it" : "them"}.`,
      details: {
        count: rows.length,
        events: rows.slice(0, named).map(({ row, why }) => ({
          id: short(row.id),
          kind: short(row.kind),
          subject: short(row.subject),
          why,
        })),
      },
    };
    const steps = rows.flatMap(({ row: { arrival }, why }): Step[] => [
      { ...quarantine({ arrival, reason: why, time: by.time }), expect: 1 },
      { ...clearOne({ 0: arrival }), expect: 1 },
    ]);
    await store.apply({ context: by, steps, events: [problemEvent(problem)] });
    report(problem, true);
  }

  /** Writes events again that were deleted or changed before they were sealed. Returns their number. */
  async function restore(missing: readonly EventRow[]): Promise<number> {
    // With several servers, another one may have sealed them.
    const sealed = await sealedIds(missing);
    for (const id of sealed) unsealed.remove(id);
    const lost = missing.filter(({ id }) => !sealed.has(id));
    if (lost.length === 0) return 0;
    const problem: LogProblem = {
      reason: "pending_removed",
      problem: `${lost.length} pending ${lost.length === 1 ? "event was" : "events were"} removed before sealing, and written again.`,
      details: {
        count: lost.length,
        events: lost.slice(0, named).map(({ id, kind, subject }) => ({ id, kind, subject })),
      },
    };
    const steps = lost.map(({ id, kind, subject, body, mac }) =>
      writeAgain({ id, kind, subject, body, mac: mac ?? "" }),
    );
    await store.apply({ context: context(), steps, events: [problemEvent(problem)] });
    report(problem, true);
    return lost.length;
  }

  async function sealBatch(): Promise<number> {
    const committed = unsealed.count();
    const pending = await store.all(readPending({ limit: batch }));
    const { genuine, rejected, ids } = await inspect(pending);
    if (rejected.length > 0) {
      // With a wrong key every event looks forged. The head does too, and then this call throws.
      await logHead.current();
      await reject(rejected);
    }
    const restored = pending.length < batch ? await restore(unsealed.without(ids, committed)) : 0;
    if (genuine.length === 0) return rejected.length + restored;
    const head = await logHead.current();
    let { sequence, hash } = head;
    const sealed = genuine.map(({ arrival, id, body }): EventSeal => {
      sequence += 1;
      hash = link(key, hash, sequence, body);
      return { id, arrival, sequence, hash };
    });
    const next = sealHead(key, { sequence, hash });
    const move = moveHead({ before: head.sequence, ...next });
    await store.apply({
      context: unrecorded,
      steps: [{ ...move, expect: 1 }, ...stepsFor(sealed)],
      events: [],
    });
    logHead.trust(next);
    for (const { id } of sealed) unsealed.remove(id);
    return pending.length + restored;
  }

  let running: Promise<void> | undefined;
  let again = false;

  /** If another server has sealed these events, continues after them. If the head did not move, a row is in the way. */
  async function sealNextBatch(): Promise<number> {
    for (let unchanged = 0, last = -1; ; ) {
      try {
        return await sealBatch();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
      const now = (await logHead.read())?.sequence ?? 0;
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
