import type { System } from "./system.ts";

/** Something that another server renews, with the time until which that server wants to keep it. */
interface Renewed {
  readonly key: string;
  readonly until: string;
}

/**
 * Whether what other servers renew has expired. Seen for the first time, its own time counts. From then on it has expired
 * once it was not renewed for its lifetime by our monotonic clock: so the clocks of servers may be set, ours too.
 */
export interface Expiries {
  /** For each of them whether it has expired. Those that are not among them are forgotten. */
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
        // After two thirds the other server has given it up by itself.
        const sureMs = isRenewed ? (lifetimeMs * 2) / 3 : 0;
        return ms - seenMs > lifetimeMs || (until < time && ms - seenMs >= sureMs);
      });
    },
  };
}
