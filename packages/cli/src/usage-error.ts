/** The command line is wrong, or something that it names: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
