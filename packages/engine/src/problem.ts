/**
 * Something outside is wrong, in words for the one who runs the connector: a password, a missing table, a column whose type
 * has changed. `passing`: it may be gone by itself, so that trying again makes sense.
 */
export class DataProblem extends Error {
  readonly passing: boolean;
  constructor(sentence: string, { passing = false, cause }: { passing?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause });
    this.passing = passing;
  }
}
