import type { System } from "./system.ts";

/** A record that another server renews, and the time until which that server wants to keep it. */
interface Renewed {
  readonly key: string;
  readonly until: string;
}

/**
 * Decides whether records that other servers renew have expired. A record seen for the first time expires at its own
 * `until`. A record that was renewed since then expires once our monotonic clock has counted its lifetime without
 * another renewal, so it does not matter if the clock of a server is set, ours included.
 */
export interface Expiries {
  /** Says for each record whether it has expired. Records that are not in `current` are forgotten. */
  expired(current: readonly Renewed[]): boolean[];
}

export function createExpiries(
  { now, monotonicMs }: Pick<System, "now" | "monotonicMs">,
  lifetimeMs: number,
): Expiries {
  let known = new Map<
    string,
    { readonly until: string; readonly seenMs: number; readonly isRenewed: boolean }
  >();

  return {
    expired(current) {
      const time = now().toISOString();
      const ms = monotonicMs();
      const before = known;
      known = new Map(
        current.map(({ key, until }) => {
          const earlier = before.get(key);
          if (earlier?.until === until) return [key, earlier];
          return [key, { until, seenMs: ms, isRenewed: earlier !== undefined }];
        }),
      );
      return current.map(({ key, until }) => {
        const { seenMs, isRenewed } = known.get(key) ?? { seenMs: ms, isRenewed: false };
        // After two thirds of the lifetime the other server has given up the record by itself.
        const sureMs = isRenewed ? (lifetimeMs * 2) / 3 : 0;
        return ms - seenMs > lifetimeMs || (until < time && ms - seenMs >= sureMs);
      });
    },
  };
}
