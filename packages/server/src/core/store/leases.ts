import { sql } from "kysely";
import { stopwatch } from "../clock.ts";
import type { Dependencies } from "../dependencies.ts";
import { createExpiries } from "../expiries.ts";
import { unrecorded } from "../system.ts";
import { VersionConflict } from "./store.ts";

/** The holder of a lease, its expiry, and the holder's URL. */
interface Holder {
  readonly owner: string;
  readonly until: string;
  readonly address: string | null;
}

/** Values of `replaced`: whose lease is replaced in addition to an own one. */
const nobody = "";
const anyHolder = "~";

/**
 * A lease that one server holds at a time. The holder renews it every third of its duration. After two thirds without
 * success, the holder no longer counts it as held, a third before another server may take it. A server that has seen a
 * renewal measures the expiry with its monotonic clock; the clocks of servers may differ by that third.
 */
export interface Lease {
  /** Takes the lease if it is free, or renews it. Returns whether it is held. */
  beat(): Promise<boolean>;
  /** Takes the lease from its holder: only if that server is known to have ended. */
  seize(): Promise<boolean>;
  /** The current state, as far as this server knows without a query. */
  held(): boolean;
  holder(): Promise<Holder | undefined>;
  /** Starts trying to acquire the lease. */
  start(): void;
  /** Releases the lease, so that another server can take it immediately. */
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
  let sinceRenewalMs: (() => number) | undefined;
  let reported = false;
  let timer: NodeJS.Timeout | undefined;

  const read = store.prepare((db, v: { name: string }) =>
    db.selectFrom("leases").select(["owner", "until", "address"]).where("name", "=", v.name),
  );
  type Row = { name: string; owner: string; until: string; address: string | null; replaced: string };
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
          .where((eb) =>
            eb.or([
              eb("leases.owner", "=", v.owner),
              eb("leases.until", "=", v.replaced),
              sql<boolean>`cast(${v.replaced} as text) = ${sql.lit(anyHolder)}`,
            ]),
          ),
      ),
  );
  const free = store.prepare((db, v: { name: string; owner: string }) =>
    db.deleteFrom("leases").where("name", "=", v.name).where("owner", "=", v.owner),
  );
  const held = () => sinceRenewalMs !== undefined && sinceRenewalMs() < (ms * 2) / 3;
  const expiries = createExpiries(system, ms);

  /**
   * The `until` of another holder whose lease has expired. If the holder renews the lease meanwhile, it is not taken.
   */
  async function expiredHolder(): Promise<string> {
    if (held()) return nobody;
    const row = await store.one(read({ name }));
    if (!row || row.owner === owner) return nobody;
    return expiries.expired([{ key: row.owner, until: row.until }])[0] ? row.until : nobody;
  }

  /** Reports a change once. */
  function reportChange(): void {
    if (held() === reported) return;
    reported = !reported;
    (reported ? gained : lost)?.();
  }

  async function take(isFree: boolean): Promise<boolean> {
    const now = system.now();
    const sinceRequest = stopwatch(system);
    const until = new Date(now.getTime() + ms).toISOString();
    try {
      // In an exclusive database, any earlier holder has ended.
      const replaced = isFree || store.engine.exclusive ? anyHolder : await expiredHolder();
      const step = insert({ name, owner, until, address, replaced });
      const isSilent = held();
      await store.apply({ context: unrecorded, steps: [{ ...step, expect: 1, isSilent }], events: [] });
      // Measured from before the request: the response time counts, too.
      sinceRenewalMs = sinceRequest;
    } catch (error) {
      if (error instanceof VersionConflict) sinceRenewalMs = undefined;
      else onError(error);
    }
    reportChange();
    return held();
  }

  const beat = () => take(false);
  /** All leases of a server are renewed at the same moments, in one transaction. */
  const untilRenewal = () => ms / 3 - (performance.now() % (ms / 3));

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
        // A third of the duration has passed since the last renewal. Even if this renewal hangs, the loss must be
        // reported after two thirds.
        const watch = setTimeout(reportChange, ms / 3).unref();
        void beat().finally(() => {
          clearTimeout(watch);
          if (timer) timer = setTimeout(again, untilRenewal()).unref();
        });
      };
      timer ??= setTimeout(again, 0).unref();
    },
    async release() {
      clearTimeout(timer);
      timer = undefined;
      sinceRenewalMs = undefined;
      reportChange();
      await store.apply({ context: unrecorded, steps: [free({ name, owner })], events: [] });
    },
  };
}
