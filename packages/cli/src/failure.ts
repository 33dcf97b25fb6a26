/** What the command was asked to do did not succeed, and the sentence says why: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}
