import type { CommanderError } from "commander";

/** Scripts may rely on these. 4: a plan has found changes, with `--detailed-exitcode`. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, changes: 4, interrupted: 130 } as const;

/** Commander has said what is wrong. Help that was asked for is no error. */
export const reportUsage = ({ exitCode }: CommanderError): number =>
  exitCode === 0 ? exitCodes.done : exitCodes.usage;
