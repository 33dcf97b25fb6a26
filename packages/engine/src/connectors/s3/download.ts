import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, constants as zlib } from "node:zlib";
import { DataProblem } from "../../protocol/problem.ts";
import type { S3Client } from "./client.ts";
import { S3Failure, s3Problem } from "./problem.ts";

export interface RequestedObject {
  readonly key: string;
  readonly size: number;
  /** The ETag of the object: another version is not read. */
  readonly version: string;
}

/** Requests bytes of an object. If the connection breaks, the bytes are requested again. */
async function receive(
  client: S3Client,
  { key, version }: RequestedObject,
  from: number,
  to: number,
  onBytes: (bytes: Uint8Array, at: number) => Promise<unknown>,
): Promise<{ readonly isGzip: boolean }> {
  let at = from;
  try {
    return await client.send(
      {
        key,
        headers: {
          Range: `bytes=${from}-${to - 1}`,
          ...(version !== "" && { "If-Match": version }),
        },
      },
      async ({ status, body, headers }) => {
        if (status !== 206 && from > 0)
          throw new DataProblem(`${client.shown(key)} cannot be read: the server ignores ranges.`);
        // An attempt after a broken one starts again with the first byte.
        at = from;
        for await (const chunk of body) {
          const rest = chunk.subarray(0, Math.max(0, to - at));
          await onBytes(rest, at);
          at += rest.length;
        }
        if (at < to) throw new Error("the connection was closed before the end of the object");
        return { isGzip: /gzip/i.test(headers.get("content-encoding") ?? "") };
      },
    );
  } catch (error) {
    throw objectProblem(client, key, error);
  }
}

function objectProblem(client: S3Client, key: string, error: unknown): unknown {
  if (!(error instanceof S3Failure)) return error;
  const what = client.shown(key);
  if (error.status === 404) {
    return new DataProblem(`${what} was deleted while it was read. Try again.`, {
      retryable: true,
      cause: error,
    });
  }
  return s3Problem(what, client.settings, error);
}

/** Bytes that are requested at a time. A part that fails is requested again. */
const partBytes = 32 * 2 ** 20;

/** Writes a whole object to a new file. Returns whether it is stored compressed, regardless of its name. */
export async function download(
  client: S3Client,
  object: RequestedObject,
  path: string,
): Promise<{ isGzip: boolean }> {
  const file = await open(path, "wx", 0o600);
  try {
    let isGzip = false;
    for (let from = 0; from < object.size; from += partBytes) {
      const to = Math.min(from + partBytes, object.size);
      ({ isGzip } = await receive(client, object, from, to, (bytes, at) =>
        file.write(bytes, 0, bytes.length, at),
      ));
    }
    return { isGzip };
  } finally {
    await file.close();
  }
}

async function bytesOf(client: S3Client, object: RequestedObject, from: number, to: number) {
  const found = Buffer.alloc(to - from);
  const { isGzip } = await receive(
    client,
    object,
    from,
    to,
    async (bytes, at) => void found.set(bytes, at - from),
  );
  return { bytes: found, isGzip };
}

/** Writes the first lines of a text file, decompressed. Returns whether that is only a part of it. */
export async function downloadHead(
  client: S3Client,
  object: RequestedObject,
  path: string,
  most: number,
): Promise<{ readonly isExcerpt: boolean }> {
  const isExcerpt = object.size > most;
  const { bytes, isGzip } =
    object.size === 0
      ? { bytes: Buffer.alloc(0), isGzip: false }
      : await bytesOf(client, object, 0, Math.min(most, object.size));
  const file = await open(path, "wx", 0o600);
  try {
    const isCompressed = isGzip || /\.gz$/i.test(object.key);
    const text = isCompressed ? await gunzipped(bytes, most * 8) : { bytes, isCut: false };
    const isCut = isExcerpt || text.isCut;
    await writeLines(file, text.bytes, isCut);
    return { isExcerpt: isCut };
  } finally {
    await file.close();
  }
}

/** The last line of an excerpt is incomplete. An excerpt without a line end is left as it is. */
async function writeLines(file: FileHandle, bytes: Buffer, isCut: boolean): Promise<void> {
  const end = isCut ? bytes.lastIndexOf("\n") + 1 : bytes.length;
  await file.writeFile(bytes.subarray(0, end || bytes.length));
}

/** The decompressed beginning of compressed bytes, which may end anywhere. */
async function gunzipped(bytes: Buffer, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  try {
    await pipeline(
      Readable.from([bytes]),
      createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) {
          chunks.push(chunk);
          length += chunk.length;
          if (length > most) {
            isCut = true;
            return;
          }
        }
      },
    );
  } catch (error) {
    if (chunks.length === 0) throw new DataProblem("It is not a gzip file.", { cause: error });
    isCut = true;
  }
  return { bytes: Buffer.concat(chunks), isCut };
}

const firstFooterBytes = 64 * 1024;
const longestFooter = 64 * 2 ** 20;

/**
 * Writes a file of the object's size with nothing but the footer of a Parquet file, which has its columns. The rest takes no
 * space on the disk.
 */
export async function downloadFooter(client: S3Client, object: RequestedObject, path: string): Promise<void> {
  const { size } = object;
  const file = await open(path, "wx", 0o600);
  try {
    await file.truncate(size);
    if (size === 0) return;
    const tail = await bytesOf(client, object, Math.max(0, size - firstFooterBytes), size);
    await file.write(tail.bytes, 0, tail.bytes.length, size - tail.bytes.length);
    // The last eight bytes: the length of the footer, and a mark.
    const needed = tail.bytes.length < 8 ? 0 : tail.bytes.readUInt32LE(tail.bytes.length - 8) + 8;
    if (needed <= tail.bytes.length || needed > Math.min(size, longestFooter)) return;
    const rest = await bytesOf(client, object, size - needed, size - tail.bytes.length);
    await file.write(rest.bytes, 0, rest.bytes.length, size - needed);
  } finally {
    await file.close();
  }
}
