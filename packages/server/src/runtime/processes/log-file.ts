import {
  appendFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { ProcessLine } from "@lakehelm/contract";
import { type Redaction, type SecretRange, secretMask } from "@lakehelm/contract/connections";
import { hasCode } from "../../core/files/disk.ts";
import { maxBatchCharacters } from "../../core/retention/batch.ts";
import type { OlderOutput, OutputPiece } from "./log-archive.ts";

/** The output of a process, kept across restarts and deploys in two files of up to 5 MB. */
export interface ProcessLog {
  /** The process writes to it directly, so nothing is lost if the server is killed. */
  open(): Promise<FileHandle>;
  /** Adds a line of the server between the lines of the process. */
  note(line: string): Promise<void>;
  /** The lines after a position, or else the last lines, and the position after them. */
  read(after: number | undefined, limit: number): Promise<{ lines: ProcessLine[]; nextAfter: number }>;
  /** The size of the current file in bytes. */
  size(): Promise<number>;
  /**
   * Limits the size of the log. Output that the log no longer keeps is archived first. Output that is written in the
   * short moment between copying and truncating is lost. `seen` is the size that the caller has read: output beyond it
   * is left to the next trim, so the caller sees every size that is trimmed.
   */
  trim(isStopping?: () => boolean, seen?: number): Promise<void>;
}

const maxBytes = 5 * 1024 * 1024;
const tailBytes = 256 * 1024;
const chunkBytes = 1024 * 1024;
const contextBytes = 32 * 1024;
/** While the archive cannot be written, the log grows to this size before lines are lost. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** Output that is written while lines are archived is also kept, up to this size. */
const maxKeptBytes = 4 * maxBytes;

/** Enough to tell whether `log` still has what `log.1` ends with. */
const comparedBytes = 4096;

/** A trim that has begun: `log.1` gets the bytes between two positions, and `log`, which begins at `begins`, is emptied. */
interface Trim {
  readonly begins: number;
  readonly from: number;
  readonly end: number;
}

export type TrimStep = "copied" | "recorded" | "renamed" | "emptied" | "moved";

/**
 * `log` is the current file and `log.1` the previous one. A position in the log is a number of bytes since its
 * beginning; `log-start` stores the position where `log` begins, and `log-archived` the position before which
 * everything is archived. `log-trim` exists while lines move from `log` to `log.1`: positions stay valid if the server
 * is killed meanwhile, and the next trim completes it. The process writes its secrets as they are; `redaction` hides
 * them when the log is read.
 */
export function processLog(
  folder: string,
  redaction: () => Promise<Pick<Redaction, "ranges">>,
  older: OlderOutput,
  /** For tests. */
  crashPoint: (step: TrimStep) => Promise<void> = async () => {},
): ProcessLog {
  const fileNamed = (name: string) => join(folder, name);
  const [current, former] = [fileNamed("log"), fileNamed("log.1")];
  const [start, archived, trimming] = ["log-start", "log-archived", "log-trim"].map(fileNamed) as [
    string,
    string,
    string,
  ];
  const openLog = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(current, "a", 0o600);
  };

  async function extent() {
    const trim = await startedTrim();
    const [size, formerSize] = [await sizeOf(current), await sizeOf(former)];
    if (!trim) {
      const begins = await numberIn(start);
      return { begins, end: begins + size, formerBegins: begins - formerSize, oldest: begins - formerSize };
    }
    const begins = (await isEmptied(trim)) ? trim.from + formerSize : trim.begins;
    return { begins, end: begins + size, formerBegins: trim.from, oldest: Math.min(trim.from, begins) };
  }

  /** The interrupted trim, if its `log.1` is already in place. */
  async function startedTrim(): Promise<Trim | undefined> {
    const text = await readFile(trimming, "utf8").catch((error) => emptyIfMissing(error, undefined));
    if (text === undefined || (await exists(`${former}.new`))) return undefined;
    return JSON.parse(text) as Trim;
  }

  async function isEmptied({ begins, from, end }: Trim): Promise<boolean> {
    if ((await sizeOf(current)) < end - begins) return true;
    const length = Math.min(comparedBytes, end - Math.max(begins, from));
    const [here, there] = [
      await readAt(current, end - length - begins, length),
      await readAt(former, end - length - from, length),
    ];
    return !here.equals(there);
  }

  /** Empties `log` once `log.1` has everything in it. */
  async function completeTrim(): Promise<void> {
    const trim = await startedTrim();
    if (trim && !(await isEmptied(trim))) {
      // Copies what the process wrote after the server was killed.
      for (;;) {
        const offset = trim.from + (await sizeOf(former)) - trim.begins;
        const bytes = await readAt(current, offset, chunkBytes);
        if (bytes.length === 0) break;
        await appendFile(former, bytes);
      }
      await truncate(current, 0);
      await crashPoint("emptied");
    }
    if (trim) {
      await writeFile(start, String(trim.from + (await sizeOf(former))), { mode: 0o600 });
      await crashPoint("moved");
    }
    await rm(trimming, { force: true });
  }

  /** Up to this many bytes from a position in one of the two files. */
  async function bytesFrom(position: number, maxLength: number): Promise<Buffer> {
    const { begins, formerBegins } = await extent();
    const isFormer = position < begins;
    const length = isFormer ? Math.min(maxLength, begins - position) : maxLength;
    return readAt(isFormer ? former : current, position - (isFormer ? formerBegins : begins), length);
  }

  /** All bytes of a range of positions, which may span both files. */
  async function bytesBetween(from: number, to: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let at = from; at < to; ) {
      const bytes = await bytesFrom(at, Math.min(chunkBytes, to - at));
      if (bytes.length === 0) break;
      parts.push(bytes);
      at += bytes.length;
    }
    return Buffer.concat(parts);
  }

  /** The bytes around the range are read as well: a secret that begins before it or ends after it is hidden, too. */
  async function linesFrom(position: number, end: number): Promise<ProcessLine[]> {
    const { oldest } = await extent();
    const from = Math.max(oldest, position - contextBytes);
    const bytes = await bytesBetween(from, end + contextBytes);
    const secrets = (await redaction()).ranges(bytes);
    const last = Math.min(bytes.length, end - from);
    const lines: ProcessLine[] = [];
    let done = position - from;
    let next = 0;
    /** Lines come in order, so each range is visited about once. */
    const add = (cut: number, skip: number) => {
      const shown: string[] = [];
      while ((secrets[next]?.to ?? Number.POSITIVE_INFINITY) <= done) next++;
      let at = done;
      for (let one = next; (secrets[one]?.from ?? cut) < cut; one++) {
        const secret = secrets[one] as SecretRange;
        shown.push(bytes.toString("utf8", at, Math.max(at, secret.from)), secretMask);
        at = Math.min(cut, secret.to);
      }
      shown.push(bytes.toString("utf8", at, cut));
      lines.push({ n: from + cut + skip, line: shown.join("") });
      done = cut + skip;
    };
    for (let cut = bytes.indexOf(10, done); cut >= 0 && cut < last; cut = bytes.indexOf(10, done))
      add(cut, 1);
    // An overlong line is returned in pieces.
    if (last - done >= chunkBytes) add(last, 0);
    return lines;
  }

  /** The complete lines of a range in pieces of up to 1 MB, limited to the content of one archive file. */
  async function piecesFrom(from: number, to: number): Promise<OutputPiece[]> {
    const pieces: OutputPiece[] = [];
    let characters = 0;
    for (let after = from; characters < maxBatchCharacters; ) {
      const found = await linesFrom(after, Math.min(to, after + chunkBytes));
      const before = found.at(-1)?.n;
      if (before === undefined) break;
      const lines = found.map(({ line }) => line);
      pieces.push({ after, before, lines });
      characters += lines.reduce((sum, { length }) => sum + length, 0);
      after = before;
    }
    return pieces;
  }

  /** The size of the log when archiving last failed. Archiving is retried when the log has grown by `maxBytes`. */
  let failedSize = Number.NEGATIVE_INFINITY;

  /**
   * Archives the output before a position. Returns the position from which lines must be kept; undefined: keep all
   * lines for now.
   */
  async function archiveBefore(limit: number, isStopping: () => boolean): Promise<number | undefined> {
    const { oldest, end, begins } = await extent();
    let from = Math.max(oldest, await numberIn(archived));
    const remove = (why: string) => {
      older.removed(limit - from, why);
      return limit;
    };
    if (!older.isArchived) return remove("PLATFORM_ARCHIVE is none");
    try {
      for (;;) {
        if (isStopping()) return undefined;
        const pieces = await piecesFrom(from, limit);
        const last = pieces.at(-1);
        if (!last) return from;
        if (!(await older.archive(pieces)))
          return remove("the archive has PLATFORM_PROCESS_LOG_ARCHIVE_MB of this process");
        from = last.before;
        await writeFile(archived, String(from), { mode: 0o600 });
      }
    } catch (error) {
      older.failed(error);
      failedSize = end - begins;
      return end - begins > maxWaitingBytes ? remove("the archive cannot be written") : undefined;
    }
  }

  return {
    open: openLog,
    size: () => sizeOf(current),
    async note(line) {
      const size = await sizeOf(current);
      const last = size === 0 ? undefined : (await readAt(current, size - 1, 1))[0];
      const handle = await openLog();
      try {
        await handle.write(`${last === undefined || last === 10 ? "" : "\n"}--- ${line}\n`);
      } finally {
        await handle.close();
      }
    },
    async read(after, limit) {
      const { end, oldest } = await extent();
      if (after === undefined) {
        const from = Math.max(oldest, end - tailBytes);
        const lines = await linesFrom(from, end);
        // The first line is incomplete unless the log begins there.
        const whole = from > oldest ? lines.slice(1) : lines;
        const last = limit < whole.length ? whole.slice(-limit) : whole;
        return { lines: last, nextAfter: last.at(-1)?.n ?? from };
      }
      const from = Math.min(Math.max(after, oldest), end);
      const lines = (await linesFrom(from, Math.min(end, from + chunkBytes))).slice(0, limit);
      return { lines, nextAfter: lines.at(-1)?.n ?? from };
    },
    async trim(isStopping = () => false, seen = Number.POSITIVE_INFINITY) {
      await completeTrim();
      const size = Math.min(seen, await sizeOf(current));
      if (size <= maxBytes || (size >= failedSize && size < failedSize + maxBytes)) return;
      const keptFrom = await archiveBefore((await numberIn(start)) + size - maxBytes, isStopping);
      if (keptFrom === undefined) return;
      const { begins, end } = await extent();
      const from = Math.max(keptFrom, end - maxKeptBytes);
      if (from > keptFrom) older.removed(from - keptFrom, "it was written too fast");
      await writeFile(`${former}.new`, await bytesBetween(from, end), { mode: 0o600 });
      await crashPoint("copied");
      await writeFile(`${trimming}.new`, JSON.stringify({ begins, from, end } satisfies Trim), {
        mode: 0o600,
      });
      await rename(`${trimming}.new`, trimming);
      await crashPoint("recorded");
      await rename(`${former}.new`, former);
      await crashPoint("renamed");
      await completeTrim();
    },
  };
}

async function readAt(path: string, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  try {
    const handle = await open(path, "r");
    try {
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return emptyIfMissing(error, Buffer.alloc(0));
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    (error) => emptyIfMissing(error, 0),
  );

const exists = (path: string) =>
  stat(path).then(
    () => true,
    (error) => emptyIfMissing(error, false),
  );

const numberIn = (path: string) => readFile(path, "utf8").then(Number, (error) => emptyIfMissing(error, 0));

function emptyIfMissing<T>(error: unknown, empty: T): T {
  if (hasCode(error, "ENOENT")) return empty;
  throw error;
}
