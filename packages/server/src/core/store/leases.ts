import type { Dependencies } from "../dependencies.ts";
import { VersionConflict } from "./store.ts";

/** Who holds a lease, until when, and where it can be reached. */
interface Holder {
  readonly owner: string;
  readonly until: string;
  readonly address: string | null;
}

/**
 * Something that one server has at a time. It renews every third of the lease's time; after two thirds without
 * success it no longer counts as held, a third before another server may take it. So the clocks of servers may
 * differ by that third.
 */
export interface Lease {
  /** Takes it if it is free, or renews it. Answers whether it is held. */
  beat(): Promise<boolean>;
  /** Takes it from whoever has it: for one who knows that this server is gone. */
  seize(): Promise<boolean>;
  /** Now, as far as this server can know without asking. */
  held(): boolean;
  holder(): Promise<Holder | undefined>;
  /** Campaigns from now on. */
  start(): void;
  /** Gives it up, for others to take at once. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  readonly owner: string;
  readonly address: string | null;
  readonly seconds?: number;
  readonly gained?: () => void;
  readonly lost?: () => void;
  readonly onError: (error: unknown) => void;
}

export function createLease(
  { store, system }: Pick<Dependencies, "store" | "system">,
  name: string,
  { owner, address, seconds = 15, gained, lost, onError }: LeaseOptions,
): Lease {
  const ms = seconds * 1000;
  let renewedMs: number | undefined;
  let told = false;
  let timer: NodeJS.Timeout | undefined;

  const read = store.prepare((db, v: { name: string }) =>
    db.selectFrom("leases").select(["owner", "until", "address"]).where("name", "=", v.name),
  );
  type Row = { name: string; owner: string; until: string; address: string | null; now: string };
  const insert = store.prepare((db, v: Row) =>
    db
      .insertInto("leases")
      .values({ name: v.name, owner: v.owner, until: v.until, address: v.address })
      .onConflict((oc) =>
        oc
          .column("name")
          .doUpdateSet((eb) => ({
            owner: eb.ref("excluded.owner"),
            until: eb.ref("excluded.until"),
            address: eb.ref("excluded.address"),
          }))
          .where((eb) => eb.or([eb("leases.owner", "=", v.owner), eb("leases.until", "<", v.now)])),
      ),
  );
  const free = store.prepare((db, v: { name: string; owner: string }) =>
    db.deleteFrom("leases").where("name", "=", v.name).where("owner", "=", v.owner),
  );
  const held = () => renewedMs !== undefined && system.now().getTime() - renewedMs < (ms * 2) / 3;

  /** Tells of a change, once. */
  function tell(): void {
    if (held() === told) return;
    told = !told;
    (told ? gained : lost)?.();
  }

  async function take(isFree: boolean): Promise<boolean> {
    const now = system.now();
    const time = now.toISOString();
    const until = new Date(now.getTime() + ms).toISOString();
    // In a database that is ours alone, whoever held it before is gone.
    const before = isFree || store.engine.exclusive ? "~" : time;
    try {
      const step = insert({ name, owner, until, address, now: before });
      const by = { actor: owner, requestId: null, time };
      await store.apply({ context: by, steps: [{ ...step, expect: 1 }], events: [] });
      // Since before it was asked for: how long the answer took counts, too.
      renewedMs = now.getTime();
    } catch (error) {
      if (error instanceof VersionConflict) renewedMs = undefined;
      else onError(error);
    }
    tell();
    return held();
  }

  const beat = () => take(false);

  return {
    beat,
    seize: () => take(true),
    held,
    async holder() {
      const row = await store.one(read({ name }));
      return row && { ...row };
    },
    start() {
      const again = () => {
        // A third has gone by since the last renewal: one that hangs must not hide that two have.
        const watch = setTimeout(tell, ms / 3).unref();
        void beat().finally(() => {
          clearTimeout(watch);
          if (timer) timer = setTimeout(again, ms / 3).unref();
        });
      };
      timer ??= setTimeout(again, 0).unref();
    },
    async release() {
      clearTimeout(timer);
      timer = undefined;
      renewedMs = undefined;
      tell();
      const by = { actor: owner, requestId: null, time: system.now().toISOString() };
      await store.apply({ context: by, steps: [free({ name, owner })], events: [] });
    },
  };
}
