import type { System } from "./system.ts";

type Clocks = Pick<System, "now" | "monotonicMs">;

/**
 * Measures elapsed milliseconds with two clocks and returns the larger result: the wall clock may be set back, and the
 * monotonic clock stands still while the machine sleeps.
 */
export function stopwatch({ now, monotonicMs }: Clocks): () => number {
  const [time, monotonic] = [now().getTime(), monotonicMs()];
  return () => Math.max(now().getTime() - time, monotonicMs() - monotonic);
}

export interface ClockWatch {
  /** How many milliseconds the clock was set ahead since the last call; negative if it was set back. */
  change(): number;
  /**
   * The time by which retention judges the age of records. It follows the clock, but trusts a jump ahead only after a
   * day: records that are removed because of a wrong clock are lost for good.
   */
  provenTime(): Date;
}

/** Smaller corrections of the clock are ignored. */
const leastMs = 1_000;
const leapMs = 3_600_000;
const believedAfterMs = 24 * 3_600_000;

/** Notices that the clock of the machine was set, by comparing it with the monotonic clock, which is never set. */
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
