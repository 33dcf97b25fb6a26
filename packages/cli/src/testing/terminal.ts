import { PassThrough, Readable } from "node:stream";
import type { Io } from "../io.ts";
import { run } from "../run.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly isTerminal?: boolean;
  /** Whether the standard input is a terminal that a user types into. */
  readonly isTyped?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each piece of the standard output. */
  readonly onOutput?: (text: string) => void;
}

/** Streams of a simulated process, which collect what is written to them. */
export function fakeIo({
  env = {},
  stdin = "",
  isTerminal,
  isTyped = false,
  signal,
  onOutput,
}: Circumstances = {}) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => {
    const pipe = new PassThrough();
    pipe.on("data", (chunk) => {
      written[name] += chunk;
      if (name === "stdout") onOutput?.(String(chunk));
    });
    return Object.assign(pipe, { isTTY: isTerminal ?? false, columns: 100 });
  };
  const io: Io = {
    env,
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: isTyped }),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    signal: signal ?? new AbortController().signal,
  };
  return { io, written };
}

/** Runs a command line in the test's process. */
export async function lakehelm(args: readonly string[], circumstances: Circumstances = {}): Promise<Outcome> {
  const { io, written } = fakeIo(circumstances);
  const code = await run(args, io);
  return { code, ...written };
}
