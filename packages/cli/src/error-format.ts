import { toJson } from "./output/json.ts";

/** How errors are written: as text, or as JSON where the output is JSON. */
export type ErrorFormat = "text" | "json";

/** Reads the format from the raw arguments, because the parser has not read the options of an invalid command line. */
export const errorFormatOf = (args: readonly string[]): ErrorFormat =>
  /(?:^|\n)(?:-o\n?=?|--output[\n=])jsonl?(?:\n|$)/.test(args.join("\n")) ? "json" : "text";

/** `{"error":{"message":"…","status":404,"request_id":"…"}}` */
export const errorJson = (error: { readonly message: string } & Readonly<Record<string, unknown>>): string =>
  toJson({ error }, 0);
