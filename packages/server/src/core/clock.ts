import type { System } from "./system.ts";

type Clocks = Pick<System, "now" | "monotonicMs">;

/** The time since now in milliseconds. The longer of two: a clock may be set back, and a monotonic one stands still while the machine sleeps. */
export function stopwatch({ now, monotonicMs }: Clocks): () => number {
  const [time, monotonic] = [now().getTime(), monotonicMs()];
  return () => Math.max(now().getTime() - time, monotonicMs() - monotonic);
}

export interface ClockWatch {
  /** By how many milliseconds the clock was set since the last call: negative if it was set back. */
  change(): number;
  /**
   * The time by which records get too old. It follows the clock, but believes a jump ahead only after a day: what is
   * removed because of a wrong clock would be gone for good.
   */
  provenTime(): Date;
}

/** Corrections of the time by less are not worth a word. */
const leastMs = 1_000;
const leapMs = 3_600_000;
const believedAfterMs = 24 * 3_600_000;

/** Notices that the clock of the machine was set, by comparing it with one that never is. */
export function createClockWatch({ now, monotonicMs }: Clocks): ClockWatch {
  const read = () => ({ time: now().getTime(), monotonic: monotonicMs() });
  type Reading = ReturnType<typeof read>;
  const offBy = (from: Reading, to: Reading) => to.time - from.time - (to.monotonic - from.monotonic);
  let last = read();
  let proven = last;
  let aheadSince: number | undefined;

  return {
    change() {
      const current = read();
      const changed = offBy(last, current);
      last = current;
      return Math.abs(changed) < leastMs ? 0 : changed;
    },
    provenTime() {
      const current = read();
      const ahead = offBy(proven, current);
      aheadSince = ahead < leapMs ? undefined : (aheadSince ?? current.monotonic);
      if (aheadSince !== undefined && current.monotonic - aheadSince < believedAfterMs)
        return new Date(current.time - ahead);
      proven = current;
      aheadSince = undefined;
      return new Date(current.time);
    },
  };
}
