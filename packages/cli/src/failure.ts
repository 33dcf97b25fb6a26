/** What the command was asked to do did not succeed, and the sentence says why: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command has said everything; only its exit code is missing. */
export class Exit extends Error {
  override readonly name = "Exit";
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}
