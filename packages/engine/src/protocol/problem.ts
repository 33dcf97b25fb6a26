/** Where in a caller's text: both from 1, columns counted in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Something outside is wrong, in words for the one who runs the connector: a password, a missing table, a column whose type
 * has changed. `retryable`: it may be gone by itself, so that trying again makes sense. `position`: where in the caller's text,
 * where there is one; the sentence says it too.
 */
export class DataProblem extends Error {
  readonly retryable: boolean;
  readonly position: Position | undefined;
  constructor(
    sentence: string,
    {
      retryable = false,
      cause,
      position,
    }: { retryable?: boolean; cause?: unknown; position?: Position } = {},
  ) {
    super(sentence, { cause });
    this.retryable = retryable;
    this.position = position;
  }
}

/** The engine's process ended before it answered. What it had committed is there, the rest is not. */
export class EngineLost extends DataProblem {
  constructor(how: string) {
    super(`The engine ${how} before it had answered; it starts again with the next request.`, {
      retryable: true,
    });
  }
}
