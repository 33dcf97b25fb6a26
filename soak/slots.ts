import type { Run } from "@lakehelm/contract";

/** The slots of a second in every minute, after one time and up to another. */
export function slotsBetween(second: number, after: Date, until: Date): string[] {
  const slots: string[] = [];
  const first = new Date(after);
  first.setUTCSeconds(second, 0);
  for (let at = first.getTime(); at <= until.getTime(); at += 60_000) {
    if (at > after.getTime()) slots.push(new Date(at).toISOString());
  }
  return slots;
}

/** What is wrong with the runs of a job for its slots: each has one run, or stands in one that tells how many were missed. */
export function slotProblems(slots: readonly string[], runs: readonly Run[]): string[] {
  const byClock = runs.filter(({ cause }) => cause.trigger === "cron");
  return slots.flatMap((slot) => {
    const own = byClock.filter(({ cause }) => cause.time === slot);
    const missedIn = byClock.filter(
      ({ cause: { time, catch_up } }) =>
        catch_up && time !== slot && catch_up.from <= slot && slot <= catch_up.to,
    );
    if (own.length + missedIn.length === 1) return [];
    return [`${slot}: ${own.length} runs, and told as missed by ${missedIn.length}`];
  });
}
