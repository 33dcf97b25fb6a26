import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type RepeatedOptions, withOptions } from "./repeated-options.ts";

type Terminal<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number };

/** The parts of the process that a command uses. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Terminal<Readable>;
  readonly stdout: Terminal<Writable>;
  readonly stderr: Terminal<Writable>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Options that are added to the commands in messages, so that users can type the commands as printed. */
  readonly repeated?: RepeatedOptions;
}

/** Writes, and waits while the reader is slow, so that a long list does not fill the memory. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

/** Writes a note for users to the standard error, apart from the output. */
export const note = ({ stderr, repeated }: Io, text: string): void =>
  void stderr.write(`${withOptions(text, repeated)}\n`);

/** Writes text for users, with commands to type, to the standard output. */
export const tell = ({ stdout, repeated }: Io, text: string): Promise<void> =>
  write(stdout, withOptions(text, repeated));

/** Whether to use colors, spinners and questions: not in CI, and not if the output is redirected. */
export const isInteractive = ({ env, stderr }: Io): boolean => stderr.isTTY === true && !env.CI;

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
