import type { Step, Store } from "../../core/store/store.ts";

/** The position of a reader in the event log. */
export interface Cursor {
  /** Sets the position if it was never set. */
  begin(position: number, now: Date): Promise<void>;
  read(): Promise<number>;
  /** Fails if the position is not `from`: another server may have moved it. */
  move(from: number, to: number): Step;
}

export function createCursor(store: Store, name: string): Cursor {
  const read = store.prepare((db, v: { name: string }) =>
    db.selectFrom("cursors").select("position").where("name", "=", v.name),
  );
  const insert = store.prepare((db, v: { name: string; position: number }) =>
    db
      .insertInto("cursors")
      .values({ name: v.name, position: v.position })
      .onConflict((oc) => oc.column("name").doNothing()),
  );
  const move = store.prepare((db, v: { name: string; from: number; to: number }) =>
    db
      .updateTable("cursors")
      .set({ position: v.to })
      .where("name", "=", v.name)
      .where("position", "=", v.from),
  );
  return {
    async begin(position, now) {
      if (await store.one(read({ name }))) return;
      const context = { actor: "lakehelm", requestId: null, time: now.toISOString() };
      await store.apply({ context, steps: [insert({ name, position })], events: [] });
    },
    read: async () => (await store.one(read({ name })))?.position ?? 0,
    move: (from, to) => ({ ...move({ name, from, to }), expect: 1 }),
  };
}
