import type { Run } from "@lakehelm/contract";

/** The times after `after` and up to `until` at which a schedule with this second of each minute is due. */
export function scheduledTimes(second: number, after: Date, until: Date): string[] {
  const times: string[] = [];
  const first = new Date(after);
  first.setUTCSeconds(second, 0);
  for (let at = first.getTime(); at <= until.getTime(); at += 60_000) {
    if (at > after.getTime()) times.push(new Date(at).toISOString());
  }
  return times;
}

/**
 * Checks that each scheduled time has one run, or is covered by one catch-up run. Returns a line for each time that has
 * none.
 */
export function scheduleProblems(times: readonly string[], runs: readonly Run[]): string[] {
  const scheduled = runs.filter(({ cause }) => cause.trigger === "cron");
  return times.flatMap((scheduledTime) => {
    const own = scheduled.filter(({ cause }) => cause.time === scheduledTime);
    const catchUps = scheduled.filter(
      ({ cause: { time, catch_up } }) =>
        catch_up && time !== scheduledTime && catch_up.from <= scheduledTime && scheduledTime <= catch_up.to,
    );
    if (own.length + catchUps.length === 1) return [];
    return [`${scheduledTime}: ${own.length} runs, covered by ${catchUps.length} catch-up runs`];
  });
}
