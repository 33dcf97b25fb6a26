/** An error in the command line, or in a file or value that it names: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
