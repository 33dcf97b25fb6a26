import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../concurrency/backoff.ts";
import { createKeyedMutex } from "../concurrency/keyed-mutex.ts";
import { conflict } from "../errors.ts";
import { randomFraction, type System } from "../system.ts";

/** The rows that a rule read have changed since. A retry runs the rule again on the current rows. */
export class VersionConflict extends Error {
  /** Which row, or which kind of change: rules that conflict about the same are retried one after the other. */
  readonly about: string;
  constructor(why = "", about = "") {
    super(why);
    this.about = about;
  }
}

/** Runs a rule that reads, decides and applies, and runs it again after a version conflict. */
type Retry = <Result>(rule: () => Promise<Result>) => Promise<Result>;

export interface Retries {
  /**
   * Within this server one rule per row at a time is retried, in the order of the conflicts; between servers with growing,
   * random pauses.
   */
  readonly retryOnConflict: Retry;
  /**
   * For a rule that may run within another: it waits for no turn. Two rules that hold a turn and wait for a second one could wait
   * for each other.
   */
  readonly retryWithinRule: Retry;
}

/** For a transaction scope, which no rule may leave open while it waits for the turn of another one. */
export const withoutTurns = ({ retryWithinRule }: Retries): Retries => ({
  retryOnConflict: retryWithinRule,
  retryWithinRule,
});

/** How long a rule is retried. */
const usualPatienceMs = 10_000;
const longestPauseSeconds = 0.25;

export function createRetries(
  system: Pick<System, "monotonicMs" | "randomBytes">,
  patienceMs = usualPatienceMs,
): Retries {
  const turns = createKeyedMutex();
  const random = () => randomFraction(system);
  const hasTime = (end: number) => system.monotonicMs() <= end;

  async function retry<Result>(rule: () => Promise<Result>, end: number): Promise<Result> {
    for (let failures = 1; ; failures++) {
      try {
        return await rule();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
      if (!hasTime(end)) throw conflict("Too many concurrent changes. Try again.");
      await pause(backoffMs(failures, 0.002, longestPauseSeconds, random));
    }
  }

  /** A rule whose turn does not come in time is tried once more without it. */
  async function retryInTurn<Result>(about: string, rule: () => Promise<Result>, end: number) {
    const late = Promise.withResolvers<undefined>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.resolve(undefined);
    }, patienceMs);
    const inTurn = turns.run(about, async () => {
      clearTimeout(timer);
      return isLate ? undefined : { result: await retry(rule, end) };
    });
    const done = await Promise.race([inTurn, late.promise]);
    return done ? done.result : retry(rule, end);
  }

  const endFromNow = () => system.monotonicMs() + patienceMs;
  return {
    async retryOnConflict(rule) {
      try {
        return await rule();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return retryInTurn(error.about, rule, endFromNow());
      }
    },
    async retryWithinRule(rule) {
      try {
        return await rule();
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return retry(rule, endFromNow());
      }
    },
  };
}
