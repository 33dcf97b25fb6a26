/** The command failed for the reason in the message: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** Ends a command that has already printed everything with an exit code. */
export class Exit extends Error {
  override readonly name = "Exit";
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}
