import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type RepeatedOptions, withOptions } from "./repeated-options.ts";

type Terminal<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command uses of the process that it runs in. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Terminal<Readable>;
  readonly stdout: Terminal<Writable>;
  readonly stderr: Terminal<Writable>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** What commands in messages get, so that they can be typed as they are printed. */
  readonly repeated?: RepeatedOptions;
}

/** Waits while the reader is slow, so that a long list does not fill the memory. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

/** Notes for people, which must not be part of the output. */
export const note = ({ stderr, repeated }: Io, text: string): void =>
  void stderr.write(`${withOptions(text, repeated)}\n`);

/** Text for people on the standard output, with commands to type. */
export const tell = ({ stdout, repeated }: Io, text: string): Promise<void> =>
  write(stdout, withOptions(text, repeated));

/** Colors, spinners and questions are for people: not in CI, and not if the output goes elsewhere. */
export const isInteractive = ({ env, stderr }: Io): boolean => stderr.isTTY === true && !env.CI;

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
