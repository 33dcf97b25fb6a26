import { suggestion } from "@lakehelm/contract/text";
import { type Command, InvalidArgumentError } from "commander";
import type { SessionOptions } from "./connection/session.ts";
import { formats, type OutputOptions } from "./output/print.ts";
import { UsageError } from "./usage-error.ts";

/** Options that every command accepts, before or after its name. */
export interface GlobalOptions extends SessionOptions {
  readonly output: (typeof queryFormats)[number];
  readonly query?: string | undefined;
}

/** Formats that only the command `query` has. */
const ofQueries = ["csv", "arrow", "parquet"] as const;
const queryFormats = [...formats, ...ofQueries] as const;

/** The formats that a command supports. */
export const formatsOf = (command: Command): readonly string[] =>
  command.name() === "query" && command.parent?.parent === null ? queryFormats : formats;

/** Reads `-o`, which may stand before the command, so whether the command supports the format is checked later. */
export function formatOf(text: string): string {
  if (queryFormats.some((format) => format === text)) return text;
  const close = suggestion(text, queryFormats);
  throw new InvalidArgumentError(
    `Allowed choices are ${formats.join(", ")}, and of "lakehelm query" also ${ofQueries.join(", ")}.${close}`,
  );
}

export const globalsOf = (command: Command): GlobalOptions => command.optsWithGlobals<GlobalOptions>();

export function outputOf({ output, query }: GlobalOptions): OutputOptions {
  if (output === "csv" || output === "arrow" || output === "parquet") {
    throw new UsageError(`-o ${output} is only for "lakehelm query". Formats: ${formats.join(", ")}.`);
  }
  return { output, query };
}
