import type { Command } from "commander";
import type { SessionOptions } from "./connection/session.ts";
import { formats, type OutputOptions } from "./output/print.ts";
import { UsageError } from "./usage-error.ts";

/** Options that every command accepts, before or after its name. */
export interface GlobalOptions extends SessionOptions {
  readonly output: (typeof queryFormats)[number];
  readonly query?: string | undefined;
}

/** Formats that only `query` has. */
const ofQueries = ["csv", "arrow", "parquet"] as const;
export const queryFormats = [...formats, ...ofQueries] as const;

export const globalsOf = (command: Command): GlobalOptions => command.optsWithGlobals<GlobalOptions>();

export function outputOf({ output, query }: GlobalOptions): OutputOptions {
  if (output === "csv" || output === "arrow" || output === "parquet") {
    throw new UsageError(`-o ${output} is only for "lakehelm query". Formats: ${formats.join(", ")}.`);
  }
  return { output, query };
}
