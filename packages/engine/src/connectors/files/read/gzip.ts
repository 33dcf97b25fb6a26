import { crc32, createInflateRaw } from "node:zlib";
import { DataProblem } from "../../../protocol/problem.ts";

/** Flags of a header: which fields follow its first ten bytes. */
const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** The longest name or comment in a header. If it is longer, the header is damaged. */
const longestText = 64 * 1024;

/**
 * Decompresses gzip to its end: every member, each with its checksum and its length, and nothing after the last one.
 * DuckDB and Node's own reader accept more: DuckDB takes a truncated file for a complete one, and Node ignores what
 * follows a zero byte. Throws a DataProblem with the path; the bytes returned before the error must not be used.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const input = new CompressedBytes(compressed);
  const damaged = (reason: string, cause?: unknown) =>
    new DataProblem(`${path} is damaged: ${reason}. Nothing of it was used. Copy the file again.`, { cause });
  try {
    for (let member = 0; member === 0 || !(await input.isAtEnd()); member += 1) {
      await skipHeader(input, member);
      const content = { crc: 0, length: 0 };
      for await (const bytes of inflated(input)) {
        content.crc = crc32(bytes, content.crc);
        content.length = (content.length + bytes.length) % 2 ** 32;
        yield bytes;
      }
      const trailer = await input.take(8);
      if (trailer.readUInt32LE(0) !== content.crc) throw new GzipError("its checksum is wrong");
      if (trailer.readUInt32LE(4) !== content.length) throw new GzipError("its length is wrong");
    }
  } catch (error) {
    if (error instanceof GzipError) throw damaged(error.message, error);
    throw error;
  } finally {
    await input.close();
  }
}

/** The message is the end of a sentence: "it is incomplete". */
class GzipError extends Error {}

/** The bytes of a file in chunks. Unused bytes can be put back. */
class CompressedBytes {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const next = this.#rest;
    this.#rest = Buffer.alloc(0);
    return next;
  }

  unread(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([bytes, this.#rest]);
  }

  async isAtEnd(): Promise<boolean> {
    const next = await this.next();
    if (next) this.unread(next);
    return next === undefined;
  }

  async take(count: number): Promise<Buffer> {
    let found = Buffer.alloc(0);
    while (found.length < count) {
      const next = await this.next();
      if (!next) throw new GzipError("it is incomplete");
      found = Buffer.concat([found, next]);
    }
    this.unread(found.subarray(count));
    return found.subarray(0, count);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

async function skipHeader(input: CompressedBytes, member: number): Promise<void> {
  const head = await input.take(10);
  const [first, second, method, given = 0] = head;
  if (first !== 0x1f || second !== 0x8b || method !== 8)
    throw new GzipError(member === 0 ? "it is not in the gzip format" : "there is something behind its end");
  if ((given & flags.reserved) !== 0) throw new GzipError("its header is wrong");
  const taken = [head];
  if (given & flags.extra) {
    const length = await input.take(2);
    taken.push(length, await input.take(length.readUInt16LE()));
  }
  for (const flag of [flags.name, flags.comment]) if (given & flag) taken.push(await takeText(input));
  if ((given & flags.headerChecksum) === 0) return;
  const expected = (await input.take(2)).readUInt16LE();
  if ((crc32(Buffer.concat(taken)) & 0xffff) !== expected) throw new GzipError("its header is wrong");
}

/** Reads up to and including a zero byte. */
async function takeText(input: CompressedBytes): Promise<Buffer> {
  const bytes: Buffer[] = [];
  for (let length = 0; length < longestText; length += 1) {
    const byte = await input.take(1);
    bytes.push(byte);
    if (byte[0] === 0) return Buffer.concat(bytes);
  }
  throw new GzipError("its header is wrong");
}

/** The content of one member. What follows it is left in the input. */
async function* inflated(input: CompressedBytes): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  let last: Buffer = Buffer.alloc(0);
  let given = 0;
  let isEnded = false;
  const feed = async () => {
    // After the end of the member, the stream takes bytes without using them.
    while (!isEnded && inflate.bytesWritten === given) {
      const bytes = await input.next();
      if (!bytes) {
        inflate.end();
        return;
      }
      last = bytes;
      given += bytes.length;
      // If the member ends within these bytes, the stream is closed instead.
      await new Promise<void>((resolve) => {
        inflate.once("close", resolve);
        inflate.write(bytes, () => {
          inflate.off("close", resolve);
          resolve();
        });
      });
    }
  };
  const fed = feed().catch((error: unknown) => void inflate.destroy(error as Error));
  try {
    for await (const bytes of inflate) yield bytes as Buffer;
  } catch (error) {
    throw zlibProblem(error);
  } finally {
    isEnded = true;
    inflate.destroy();
    await fed;
  }
  const unused = given - inflate.bytesWritten;
  if (unused > 0) input.unread(last.subarray(last.length - unused));
}

function zlibProblem(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return new GzipError("it is incomplete");
  return code.startsWith("Z_") ? new GzipError("its content cannot be decompressed") : error;
}
