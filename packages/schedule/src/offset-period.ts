/** A period in which a time zone keeps one offset from UTC. All values are milliseconds. */
export interface OffsetPeriod {
  /** The first instant; minus infinity if the offset never changed before this period. */
  readonly start: number;
  /** The first instant of the next period; infinity if there is none. */
  readonly end: number;
  readonly offset: number;
  /** The offset of the previous period. */
  readonly previousOffset: number;
}

/** The period that contains an instant. Throws for an unknown time zone. */
export function offsetPeriodAt(timezone: string, instant: number): OffsetPeriod {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const offset = local.offsetNanoseconds / 1e6;
  // "previous" excludes the instant itself, so the search begins 1 ms later: a period can start exactly at the instant.
  const start = local.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const end = local.getTimeZoneTransition("next");
  return {
    start: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    end: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset,
    previousOffset: start ? start.subtract({ milliseconds: 1 }).offsetNanoseconds / 1e6 : offset,
  };
}
