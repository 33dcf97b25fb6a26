import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Io, readAll } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Asks for a value without showing it. Without a terminal the value is read from the standard input. */
export async function askSecret(io: Io, question: string): Promise<string> {
  const text = io.stdin.isTTY ? await askHidden(io, question) : (await readAll(io.stdin)).toString("utf8");
  const value = text.replace(/\r?\n$/, "");
  if (value === "") throw new UsageError(`${question} is empty. Type it, or send it to the standard input.`);
  return value;
}

async function askHidden({ stdin, stderr, signal }: Io, question: string): Promise<string> {
  stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  const interrupted = new AbortController();
  lines.on("SIGINT", () => interrupted.abort(new InterruptedError()));
  try {
    return await lines.question("", { signal: AbortSignal.any([signal, interrupted.signal]) });
  } catch (error) {
    throw interrupted.signal.aborted || signal.aborted ? new InterruptedError() : error;
  } finally {
    lines.close();
    stderr.write("\n");
  }
}

/** The user pressed Ctrl-C. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** Asks a yes-or-no question. */
export async function confirm({ stdin, stderr, signal }: Io, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  const interrupted = new AbortController();
  lines.on("SIGINT", () => interrupted.abort());
  try {
    const answer = await lines.question(`${question} [y/N] `, {
      signal: AbortSignal.any([signal, interrupted.signal]),
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    throw interrupted.signal.aborted || signal.aborted ? new InterruptedError() : error;
  } finally {
    lines.close();
  }
}
