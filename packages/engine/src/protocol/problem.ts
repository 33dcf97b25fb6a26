import type { SourceLocation } from "@lakehelm/sql";

/**
 * An error that the user can act on: a wrong password, a missing table, a column whose type changed. The message is shown to
 * the user. `retryable`: the problem may go away by itself. `position`: where in the caller's text the problem is, if it is
 * about a text; the message names it too.
 */
export class DataProblem extends Error {
  readonly retryable: boolean;
  readonly position: SourceLocation | undefined;
  constructor(
    sentence: string,
    {
      retryable = false,
      cause,
      position,
    }: { retryable?: boolean; cause?: unknown; position?: SourceLocation } = {},
  ) {
    super(sentence, { cause });
    this.retryable = retryable;
    this.position = position;
  }
}

/** The request passed a limit in a way that ended the engine's process. Its caller must not simply repeat it. */
export class LimitExceeded extends DataProblem {}

/** The engine's process ended before it responded. Committed work is kept, everything else is rolled back. */
export class EngineLost extends DataProblem {
  /** Whether the process used all its memory and it is unknown which request needed the memory. */
  readonly ranOutOfMemory: boolean;
  constructor(how: string, { ranOutOfMemory = false } = {}) {
    super(`The engine process ${how} before it responded. The next request starts a new process.`, {
      retryable: true,
    });
    this.ranOutOfMemory = ranOutOfMemory;
  }
}
