/** A stretch of time in which a zone's clocks keep one distance from UTC. All in milliseconds. */
export interface Stretch {
  /** The first instant; minus infinity where the clocks were never changed before. */
  readonly start: number;
  /** The first instant of the next stretch; infinity where none follows. */
  readonly end: number;
  readonly offset: number;
  /** The offset of the stretch before. */
  readonly before: number;
}

/** The stretch of a time zone that an instant is in. Throws for a zone that nobody knows. */
export function stretchAt(timezone: string, instant: number): Stretch {
  const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const offset = there.offsetNanoseconds / 1e6;
  // "previous" means before this instant; a stretch that begins right here must be found as well.
  const start = there.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const end = there.getTimeZoneTransition("next");
  return {
    start: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    end: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset,
    before: start ? start.subtract({ milliseconds: 1 }).offsetNanoseconds / 1e6 : offset,
  };
}
