import type { CommanderError } from "commander";

/** Scripts may rely on these codes. 4: a plan with `--detailed-exitcode` has found changes. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, changes: 4, interrupted: 130 } as const;

/** Commander has already printed the error. Help that the user asked for is no error. */
export const reportUsage = ({ exitCode }: CommanderError): number =>
  exitCode === 0 ? exitCodes.done : exitCodes.usage;
