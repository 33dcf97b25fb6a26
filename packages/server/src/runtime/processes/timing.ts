/** Intervals and timeouts for processes. */
export interface Pace {
  /** The maximum time until a process responds, and the polling interval until then. */
  readonly startMs: number;
  readonly startLookMs: number;
  /** The interval and timeout of health checks, and the number of consecutive failures that are allowed. */
  readonly healthMs: number;
  readonly healthTimeoutMs: number;
  readonly misses: number;
  /** The interval for checking memory and logs. */
  readonly lookMs: number;
  /** The backoff before a restart: the first pause, doubled each time, up to the maximum. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** After this many ends within this time, it is not restarted. */
  readonly mostEnds: number;
  readonly windowMs: number;
  /** On a stop: the wait for running requests, then the wait between SIGTERM and SIGKILL. */
  readonly lentMs: number;
  readonly termMs: number;
}

export const paceOf = (startSeconds: number): Pace => ({
  startMs: startSeconds * 1000,
  startLookMs: 200,
  healthMs: 5_000,
  healthTimeoutMs: 4_000,
  misses: 3,
  lookMs: 2_000,
  backoffMs: 1_000,
  longestBackoffMs: 30_000,
  mostEnds: 5,
  windowMs: 10 * 60_000,
  lentMs: 10_000,
  termMs: 5_000,
});
