export interface ProcessTiming {
  /** The maximum time until a process responds, and the polling interval until then. */
  readonly startMs: number;
  readonly startPollMs: number;
  /** The interval and timeout of health checks, and the number of consecutive failures that are allowed. */
  readonly healthMs: number;
  readonly healthTimeoutMs: number;
  readonly maxMisses: number;
  /** The interval for checking memory and logs. */
  readonly checkMs: number;
  /** The backoff before a restart: the first pause, doubled each time, up to the maximum. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A process that ends this many times within this window is not restarted. */
  readonly maxEnds: number;
  readonly windowMs: number;
  /** On a stop: the wait for running requests, then the wait between SIGTERM and SIGKILL. */
  readonly drainMs: number;
  readonly termMs: number;
}

export const processTiming = (startSeconds: number): ProcessTiming => ({
  startMs: startSeconds * 1000,
  startPollMs: 200,
  healthMs: 5_000,
  healthTimeoutMs: 4_000,
  maxMisses: 3,
  checkMs: 2_000,
  backoffMs: 1_000,
  maxBackoffMs: 30_000,
  maxEnds: 5,
  windowMs: 10 * 60_000,
  drainMs: 10_000,
  termMs: 5_000,
});
