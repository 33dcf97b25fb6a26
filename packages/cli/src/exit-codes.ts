import type { CommanderError } from "commander";

/** Scripts may rely on these. 4 is for changes that a plan has found. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const;

/** Commander has said what is wrong. Help that was asked for is no error. */
export const reportUsage = ({ exitCode }: CommanderError): number =>
  exitCode === 0 ? exitCodes.done : exitCodes.usage;
