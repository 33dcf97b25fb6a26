/** Limits that hold for everything that evaluates a caller's SQL. */
export interface EngineLimits {
  /**
   * Memory of the engine's process. The system refuses allocations beyond it, which fails the statement that needs them.
   * A process that still exceeds it by a quarter is ended.
   */
  readonly processMb: number;
  /** Temporary files of one warehouse. */
  readonly spillMb: number;
  /** The folder for temporary files; one folder per environment is created in it. Absent: beside the tables. */
  readonly spillFolder?: string | undefined;
  /** Disk space that spilling queries and runs leave free. */
  readonly diskReserveMb: number;
  /** The most bytes of one value of a result. */
  readonly valueBytes: number;
  /** The most bytes of all rows of one answer. */
  readonly answerBytes: number;
  /** How long the process may be silent while requests wait. Then it is ended. */
  readonly silenceMs: number;
}

export const defaultLimits: EngineLimits = {
  processMb: 2048,
  spillMb: 8192,
  diskReserveMb: 256,
  valueBytes: 8 * 1024 * 1024,
  answerBytes: 16 * 1024 * 1024,
  silenceMs: 60_000,
};
