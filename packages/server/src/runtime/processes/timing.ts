/** How often processes are looked at, and how long things may take. */
export interface Pace {
  /** How long a process may take until it answers, and how often it is asked until then. */
  readonly startMs: number;
  readonly startLookMs: number;
  /** How often one that runs is asked whether it is well, how long that may take, and how often it may fail in a row. */
  readonly healthMs: number;
  readonly healthTimeoutMs: number;
  readonly misses: number;
  /** How often memory and logs are looked at. */
  readonly lookMs: number;
  /** Before it is started again: the first time; then twice as long each time, up to the other. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** So many ends in so long: then it rests. */
  readonly mostEnds: number;
  readonly windowMs: number;
  /** A stop waits so long for requests that were lent the process, then so long between SIGTERM and SIGKILL. */
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
