import { fstatSync, write } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Lines that wait for a slow or blocked reader, in characters. */
const maxWaiting = 1_000_000;

/**
 * Where log lines go. Writing never waits, fails or ends the process: lines that cannot be written are dropped and
 * counted. Once writing works again, a line says how many were dropped.
 */
export interface LogOutput {
  write(line: string): void;
  /** The number of lines dropped since the start. */
  dropped(): number;
  /** Waits until all lines are written, for at most `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>;
}

/** Writes a chunk and reports the result later. */
type WriteChunk = (chunk: Buffer, done: (error: Error | null, written: number) => void) => void;

/** `report` makes the line that says how many lines were dropped. */
export function createLogOutput(writeChunk: WriteChunk, report: (dropped: number) => string): LogOutput {
  let waiting: string[] = [];
  let waitingLength = 0;
  let isWriting = false;
  let dropped = 0;
  let unreported = 0;
  /** Part of a line was written, and the rest was lost. */
  let isBroken = false;

  function drop(lines: number): void {
    dropped += lines;
    unreported += lines;
  }

  function writeNext(): void {
    if (isWriting || waiting.length === 0) return;
    const lines = waiting;
    const reported = unreported;
    waiting = [];
    waitingLength = 0;
    isWriting = true;
    const text = lines.join("") + (reported > 0 ? report(reported) : "");
    writeAll(Buffer.from(isBroken ? `\n${text}` : text), 0, (isComplete, begun) => {
      isWriting = false;
      if (isComplete) unreported -= reported;
      else drop(lines.length);
      isBroken = !isComplete && (begun || isBroken);
      writeNext();
    });
  }

  function writeAll(rest: Buffer, before: number, end: (isComplete: boolean, begun: boolean) => void): void {
    writeChunk(rest, (error, written) => {
      if (error) end(false, before > 0);
      else if (written < rest.length) writeAll(rest.subarray(written), before + written, end);
      else end(true, true);
    });
  }

  return {
    write(line) {
      if (waitingLength + line.length > maxWaiting) return drop(1);
      waiting.push(line);
      waitingLength += line.length;
      writeNext();
    },
    dropped: () => dropped,
    async flush(timeoutMs) {
      const end = performance.now() + timeoutMs;
      while ((isWriting || waiting.length > 0) && performance.now() < end) await pause(5);
    },
  };
}

/**
 * Standard output. Node writes to files synchronously, so files are written here by a thread: a full or slow disk does
 * not hold up requests. Node never waits for pipes, sockets and terminals.
 */
export function standardOutput(): WriteChunk {
  const { stdout } = process;
  // Without listeners, an error would end the process, for example if the reader of a pipe has ended.
  for (const stream of [stdout, process.stderr]) stream.on("error", () => {});
  if (fstatSync(stdout.fd).isFile()) return (chunk, done) => write(stdout.fd, chunk, done);
  return (chunk, done) => {
    stdout.write(chunk, (error) => done(error ?? null, chunk.length));
  };
}
