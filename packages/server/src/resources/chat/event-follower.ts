import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import type { EventLog } from "../../core/events/log.ts";
import { VersionConflict } from "../../core/store/store.ts";
import { serverContext } from "../../core/system.ts";
import { createCursor } from "./cursor.ts";
import type { DeliveryRows } from "./delivery-rows.ts";
import { hasMessage } from "./event-messages.ts";
import { readEvent } from "./log-event.ts";
import type { NotificationRules } from "./notification-rules.ts";

const pageSize = 200;

/** The maximum number of irrelevant events that are read again after a crash. */
const maxUnsaved = 1000;

/** Reads the event log in order and creates deliveries from the events that channels are notified of. */
export interface EventFollower {
  /** On the very first start: skips all earlier events. */
  begin(): Promise<void>;
  /** Reads to the end of the log. Returns the sequence of the last event. */
  follow(): Promise<number>;
  /** Reads to the end of the log and stores the position. */
  save(): Promise<void>;
  /** The stored position: an older event is not read again. */
  saved(): Promise<number>;
  /** Another server may have followed the log since: the stored position is read again. */
  forget(): void;
}

/**
 * The position moves in the same transaction as the resulting deliveries, so that a crash neither loses nor duplicates
 * one. Irrelevant events do not cost a write each, since reading them again creates nothing. The position is always
 * written at a change of the bindings, because rereading older events could then create deliveries.
 */
export function createEventFollower(
  { store, system }: Dependencies,
  events: Pick<EventLog, "read" | "head">,
  rows: DeliveryRows,
  deliveriesFor: NotificationRules,
): EventFollower {
  const cursor = createCursor(store, "chat");
  let position: { read: number; saved: number } | undefined;

  async function page(from: { readonly read: number; readonly saved: number }) {
    const found = await events.read(from.read, pageSize, {});
    const last = found.at(-1)?.sequence;
    if (last === undefined) return undefined;
    const context = serverContext(system);
    const deliveries = (
      await Promise.all(found.filter(hasMessage).map((event) => deliveriesFor(readEvent(event))))
    ).flat();
    const isDue = last - from.saved >= maxUnsaved || found.some(({ kind }) => kind.startsWith("binding."));
    if (deliveries.length === 0 && !isDue) return { read: last, saved: from.saved };
    await store.apply({
      context,
      steps: [
        cursor.move(from.saved, last),
        ...deliveries.flatMap((delivery) => rows.insert(delivery, context.time)),
      ],
      events: [],
    });
    return { read: last, saved: last };
  }

  const follow = singleFlight(async () => {
    for (;;) {
      if (!position) {
        const saved = await cursor.read();
        position = { read: saved, saved };
      }
      try {
        const next = await page(position);
        if (!next) return position.read;
        position = next;
      } catch (error) {
        position = undefined;
        if (!(error instanceof VersionConflict)) throw error;
      }
    }
  });

  return {
    begin: async () => cursor.begin(await events.head(), system.now()),
    follow,
    async save() {
      await follow();
      const reached = position;
      // Another server may have taken over, or the position was stored in the meantime.
      if (!reached || reached.read === reached.saved) return;
      try {
        const steps = [cursor.move(reached.saved, reached.read)];
        await store.apply({ context: serverContext(system), steps, events: [] });
        if (position === reached) position = { read: reached.read, saved: reached.read };
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
    },
    saved: cursor.read,
    forget() {
      position = undefined;
    },
  };
}
