import type { Step, Store } from "../store/store.ts";
import { type EventKey, isStart, type Start, sealStart } from "./chain.ts";

/** The row that says where the log begins. */
export interface LogStart {
  /** Undefined if the row was changed or removed. */
  read(): Promise<Start | undefined>;
  /** Moves the beginning behind these events and removes them. Refused unless the log begins at `first`, and has them all. */
  remove(first: number, last: Omit<Start, "mac">): Step[];
}

export function createLogStart(store: Store, key: EventKey): LogStart {
  const read = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("event_start").select(["sequence", "hash", "time", "mac"]).where("id", "=", 1),
  );
  const move = store.prepare((db, v: { before: number } & Record<keyof Start, string | number>) =>
    db
      .updateTable("event_start")
      .set({
        sequence: v.sequence as number,
        hash: v.hash as string,
        time: v.time as string,
        mac: v.mac as string,
      })
      .where("id", "=", 1)
      .where("sequence", "=", v.before),
  );
  const remove = store.prepare((db, v: { first: number; last: number }) =>
    db.deleteFrom("events").where("sequence", ">=", v.first).where("sequence", "<=", v.last),
  );
  return {
    async read() {
      const start = await store.one(read({}));
      return start && isStart(key, start) ? start : undefined;
    },
    remove: (first, last) => [
      { ...move({ before: first - 1, ...sealStart(key, last) }), expect: 1 },
      { ...remove({ first, last: last.sequence }), expect: last.sequence - first + 1 },
    ],
  };
}
